/** Decides when a serving run stores what makes the next start quicker: after most of the work of a start is done. */

const afterMs = 3_000;

/** Returns the function to call at the end, for shorter runs and for later additions. */
export function saveLater<T>(keep: () => T): () => T {
  const timer = setTimeout(keep, afterMs);
  timer.unref();
  return () => {
    clearTimeout(timer);
    return keep();
  };
}
