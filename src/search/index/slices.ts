/** Long work in slices: between two of them, the event loop serves calls. */

const sliceMs = 8;

export type Pause = () => Promise<void> | undefined;

/** The function returns a promise to await when a slice is over, and nothing before that. */
export function createSlices(): Pause {
  let began = performance.now();
  return () => {
    if (performance.now() - began < sliceMs) return undefined;
    return new Promise((resolve) =>
      setImmediate(() => {
        began = performance.now();
        resolve();
      }),
    );
  };
}
