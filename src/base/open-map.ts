/**
 * What is open just now, by its key: a Map for entries that come and go all the time, such as calls.
 *
 * When V8 makes a Map larger or smaller, or clears it of what was deleted, the table before refers to the next one, and still to all
 * that was in it. Once one of them counts as old, all later ones outlive it for nothing, with every call that was ever open when a
 * table was left: the collector copied 4 KB of dead objects for each call, which took a third of all time. Here a table refers to
 * slots that are emptied when their entry goes.
 */
export type ReadonlyOpenMap<K, V> = Pick<
  ReadonlyMap<K, V>,
  'get' | 'has' | 'size' | 'values' | (typeof Symbol)['iterator']
>;

interface Slot<V> {
  value: V | undefined;
}

export class OpenMap<K, V extends object> implements ReadonlyOpenMap<K, V> {
  readonly #slots = new Map<K, Slot<V>>();

  get size(): number {
    return this.#slots.size;
  }

  get(key: K): V | undefined {
    return this.#slots.get(key)?.value;
  }

  has(key: K): boolean {
    return this.#slots.has(key);
  }

  set(key: K, value: V): void {
    const slot = this.#slots.get(key);
    if (slot === undefined) this.#slots.set(key, { value });
    else slot.value = value;
  }

  /** Removes an entry and gives what it was. */
  take(key: K): V | undefined {
    const slot = this.#slots.get(key);
    if (slot === undefined) return undefined;
    this.#slots.delete(key);
    const { value } = slot;
    slot.value = undefined;
    return value;
  }

  clear(): void {
    for (const key of [...this.#slots.keys()]) this.take(key);
  }

  /** In the order in which they came. */
  *values(): IterableIterator<V> {
    for (const { value } of this.#slots.values()) if (value !== undefined) yield value;
  }

  *[Symbol.iterator](): IterableIterator<[K, V]> {
    for (const [key, { value }] of this.#slots) if (value !== undefined) yield [key, value];
  }
}
