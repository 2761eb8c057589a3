/** One direction of a conversation: what was said waits, in order, until the schedule delivers it. */

export interface Pipe {
  readonly name: string;
  readonly size: number;
  push(text: string, deliver: () => void): void;
  /** Delivers the first of what waits; what it was. */
  deliver(): string;
  /** Nobody reads it any more: what waits is lost, and so is what is said later. */
  cut(): void;
}

export function createPipe(name: string): Pipe {
  const waiting: { readonly text: string; deliver(): void }[] = [];
  let isCut = false;
  return {
    name,
    get size() {
      return waiting.length;
    },
    push(text, deliver) {
      if (!isCut) waiting.push({ text, deliver });
    },
    deliver() {
      const first = waiting.shift();
      first?.deliver();
      return first?.text ?? '';
    },
    cut() {
      isCut = true;
      waiting.length = 0;
    },
  };
}
