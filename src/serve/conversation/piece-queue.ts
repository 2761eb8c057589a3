/** Text on its way to an output: gathered while a tick lasts, cut into pieces, and handed over as fast as the output takes it. */
import type { Writable } from 'node:stream';
import { flushAt, microtask } from '../../base/rpc/line-writer.ts';

/** What is handed over at once: messages of a tick are gathered up to it, longer ones are cut. */
const pieceLength = 256 * 1024;

export class PieceQueue {
  readonly #output: Writable;
  readonly #pieces: string[] = [];
  #length = 0;
  /** The output takes more. */
  #free = true;
  #scheduled = false;
  #ending = false;
  #closed = false;

  constructor(output: Writable) {
    this.#output = output;
  }

  /** Characters that were not handed over yet. */
  get length(): number {
    return this.#length;
  }

  add(text: string): void {
    const last = this.#pieces.length - 1;
    if (last >= 0 && (this.#pieces[last] as string).length + text.length <= pieceLength) this.#pieces[last] += text;
    else this.#pieces.push(text);
    this.#length += text.length;
    if (!this.#free) return;
    if (this.#length >= flushAt) this.#pump();
    else if (!this.#scheduled) {
      this.#scheduled = true;
      void microtask.then(this.#pumpLater);
    }
  }

  /** The output takes more again. */
  resume(): void {
    this.#free = true;
    this.#pump();
  }

  /** Hands over everything at once, whether or not the output takes it. */
  flush(): void {
    if (this.#closed || this.#pieces.length === 0) return;
    const text = this.#pieces.join('');
    this.#pieces.length = 0;
    this.#length = 0;
    this.#free = this.#output.write(text);
  }

  /** Ends the output behind everything that was added. */
  end(): void {
    this.#ending = true;
    this.#finish();
  }

  /** The output is gone: drops what is left. */
  close(): void {
    this.#closed = true;
    this.#pieces.length = 0;
    this.#length = 0;
  }

  readonly #pumpLater = () => {
    this.#scheduled = false;
    this.#pump();
  };

  #pump(): void {
    while (this.#free && this.#pieces.length > 0 && !this.#closed) {
      const text = this.#pieces[0] as string;
      const piece = firstPiece(text);
      if (piece.length === text.length) this.#pieces.shift();
      else this.#pieces[0] = text.slice(piece.length);
      this.#length -= piece.length;
      this.#free = this.#output.write(piece);
    }
    this.#finish();
  }

  #finish(): void {
    if (!this.#ending || this.#pieces.length > 0 || this.#closed) return;
    this.#ending = false;
    this.#output.end();
  }
}

/** Never cut inside a character. */
function firstPiece(text: string): string {
  if (text.length <= pieceLength) return text;
  const code = text.charCodeAt(pieceLength - 1);
  return text.slice(0, code >= 0xd800 && code <= 0xdbff ? pieceLength + 1 : pieceLength);
}
