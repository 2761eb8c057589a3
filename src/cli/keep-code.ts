/** When the compiled code of the program is kept: by a run that serves, once most of what a start needs has been used. */
import type { Io } from './io.ts';

const afterMs = 3_000;

/** Gives the function to call at the end, for runs that are shorter. */
export function keepCodeSoon({ keepCode }: Pick<Io, 'keepCode'>): () => void {
  const timer = setTimeout(keepCode, afterMs);
  timer.unref();
  return () => {
    clearTimeout(timer);
    keepCode();
  };
}
