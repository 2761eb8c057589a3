type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** The members that have a value. `exactOptionalPropertyTypes` does not let an optional member be `undefined`. */
export const defined = <T extends object>(members: T): Defined<T> => {
  const kept: Defined<T> = {};
  for (const name of Object.keys(members) as (keyof T)[]) {
    const value = members[name];
    if (value !== undefined) kept[name] = value as Exclude<T[typeof name], undefined>;
  }
  return kept;
};
