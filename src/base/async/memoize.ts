/** Derives a value from an object once, for as long as that object is in use. */
export function memoize<K extends object, V extends NonNullable<unknown>>(derive: (key: K) => V): (key: K) => V {
  const known = new WeakMap<K, V>();
  return (key) => {
    let value = known.get(key);
    if (value === undefined) {
      value = derive(key);
      known.set(key, value);
    }
    return value;
  };
}
