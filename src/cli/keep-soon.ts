/** When a run that serves keeps what makes the next start quicker: once most of what a start does has been done. */

const afterMs = 3_000;

/** Gives the function to call at the end, for runs that are shorter and for what came later. */
export function keepSoon<T>(keep: () => T): () => T {
  const timer = setTimeout(keep, afterMs);
  timer.unref();
  return () => {
    clearTimeout(timer);
    return keep();
  };
}
