/**
 * Bytes that arrive in pieces, until they are complete. Small pieces are joined at once: each piece costs more than a hundred
 * bytes of memory by itself, so a sender that cuts finely could make a message take a hundred times its size.
 */
import { textOfParts } from '../json/chunked-text.ts';

/** A piece of this size is kept as it is, and so are the first few pieces of any size. */
const largePiece = 4 * 1024;
const fewPieces = 16;
const roomBytes = 64 * 1024;

export class HeldBytes {
  #parts: Buffer[] = [];
  /** The last part, while it still has room. */
  #room: Buffer | undefined;
  #used = 0;
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  add(piece: Buffer): void {
    this.#bytes += piece.length;
    if (piece.length >= largePiece || this.#parts.length < fewPieces) {
      this.#close();
      this.#parts.push(piece);
      return;
    }
    if (this.#room === undefined || this.#used + piece.length > this.#room.length) {
      this.#close();
      this.#room = Buffer.allocUnsafeSlow(roomBytes);
      this.#used = 0;
      this.#parts.push(this.#room);
    }
    this.#used += piece.copy(this.#room, this.#used);
  }

  text(): string {
    this.#close();
    return textOfParts(this.#parts, this.#bytes);
  }

  /** The first bytes. */
  head(bytes: number): string {
    this.#close();
    return Buffer.concat(this.#parts, Math.min(this.#bytes, bytes)).toString('utf8');
  }

  /** The last bytes. */
  tail(bytes: number): string {
    this.#close();
    const last: Buffer[] = [];
    let found = 0;
    for (let at = this.#parts.length - 1; at >= 0 && found < bytes; at--) {
      const part = this.#parts[at] as Buffer;
      last.unshift(part);
      found += part.length;
    }
    return Buffer.concat(last).subarray(-bytes).toString('utf8');
  }

  clear(): void {
    this.#parts = [];
    this.#room = undefined;
    this.#bytes = 0;
  }

  /** Closes the open part: no further bytes go into it. */
  #close(): void {
    if (this.#room === undefined) return;
    this.#parts[this.#parts.length - 1] = this.#room.subarray(0, this.#used);
    this.#room = undefined;
  }
}
