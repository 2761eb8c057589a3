/**
 * Remembers what was found until the code that runs now has ended. A go through all servers asks for the same few files many times;
 * the next go sees what has changed since.
 */
export function memoizeInTurn<V>(find: (key: string) => V): (key: string) => V {
  let known: Map<string, V> | undefined;
  return (key) => {
    if (known === undefined) {
      known = new Map();
      queueMicrotask(() => {
        known = undefined;
      });
    }
    if (!known.has(key)) known.set(key, find(key));
    return known.get(key) as V;
  };
}
