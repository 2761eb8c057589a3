/**
 * What is open just now, by its key: a Map for entries that come and go all the time, such as calls.
 *
 * When V8 makes a Map larger or smaller, or clears it of what was deleted, the table before refers to the next one, and still to all
 * that was in it. Once one of them counts as old, all later ones outlive it for nothing, with every call that was ever open when a
 * table was left: the collector copied 4 KB of dead objects for each call, which took a third of all time. Here a key that is a
 * number has a place of its own in an array, by its last digits, which is emptied when the entry goes: ids are mostly counted, so two
 * that are open at once seldom want the same place. Other keys are in a Map, whose tables refer to slots that are emptied.
 */
export type ReadonlyOpenMap<K, V> = Pick<
  ReadonlyMap<K, V>,
  'get' | 'has' | 'size' | 'values' | (typeof Symbol)['iterator']
>;

interface Slot<V> {
  value: V | undefined;
  came: number;
}

const fewestPlaces = 8;
const mostPlaces = 1_024;

export class OpenMap<K, V extends object> implements ReadonlyOpenMap<K, V> {
  /** Of each place: whose it is, what is there, and when that came. */
  #keys: (K | undefined)[] = Array(fewestPlaces).fill(undefined);
  #values: (V | undefined)[] = Array(fewestPlaces).fill(undefined);
  #came: number[] = Array(fewestPlaces).fill(0);
  readonly #others = new Map<K, Slot<V>>();
  #size = 0;
  #last = 0;

  get size(): number {
    return this.#size;
  }

  get(key: K): V | undefined {
    const place = this.#placeOf(key);
    return place < 0 ? this.#others.get(key)?.value : this.#values[place];
  }

  has(key: K): boolean {
    return this.get(key) !== undefined;
  }

  set(key: K, value: V): void {
    const place = this.#placeOf(key);
    const slot = place < 0 ? this.#others.get(key) : undefined;
    if (place >= 0) this.#values[place] = value;
    else if (slot !== undefined) slot.value = value;
    else this.#add(key, value);
  }

  /** Removes an entry and gives what it was. */
  take(key: K): V | undefined {
    const place = this.#placeOf(key);
    const value = place < 0 ? this.#takeOther(key) : this.#values[place];
    if (place >= 0) {
      this.#values[place] = undefined;
      this.#keys[place] = undefined;
    }
    if (value !== undefined) this.#size--;
    return value;
  }

  clear(): void {
    for (const [key] of this.#inOrder()) this.take(key);
  }

  /** In the order in which they came. */
  *values(): IterableIterator<V> {
    for (const [, value] of this) yield value;
  }

  *[Symbol.iterator](): IterableIterator<[K, V]> {
    for (const [key] of this.#inOrder()) {
      // Whoever reads may have taken it out.
      const value = this.get(key);
      if (value !== undefined) yield [key, value];
    }
  }

  /** Negative when it has none. */
  #placeOf(key: K): number {
    if (typeof key !== 'number') return -1;
    const place = key & (this.#keys.length - 1);
    return this.#keys[place] === key ? place : -1;
  }

  #add(key: K, value: V): void {
    this.#size++;
    this.#last++;
    if (typeof key !== 'number' || !this.#hasRoomFor(key)) {
      this.#others.set(key, { value, came: this.#last });
      return;
    }
    const place = key & (this.#keys.length - 1);
    this.#keys[place] = key;
    this.#values[place] = value;
    this.#came[place] = this.#last;
  }

  #hasRoomFor(key: number): boolean {
    while (this.#keys[key & (this.#keys.length - 1)] !== undefined) {
      if (this.#keys.length >= mostPlaces) return false;
      this.#grow();
    }
    return true;
  }

  /** Who had a place of his own has one in twice as many. */
  #grow(): void {
    const [keys, values, came] = [this.#keys, this.#values, this.#came];
    const length = keys.length * 2;
    this.#keys = Array(length).fill(undefined);
    this.#values = Array(length).fill(undefined);
    this.#came = Array(length).fill(0);
    for (const [at, key] of keys.entries()) {
      if (typeof key !== 'number') continue;
      const place = key & (length - 1);
      this.#keys[place] = key;
      this.#values[place] = values[at];
      this.#came[place] = came[at] as number;
    }
  }

  #takeOther(key: K): V | undefined {
    const slot = this.#others.get(key);
    if (slot === undefined) return undefined;
    this.#others.delete(key);
    const { value } = slot;
    slot.value = undefined;
    return value;
  }

  #inOrder(): [K, number][] {
    const all: [K, number][] = [...this.#others].map(([key, { came }]) => [key, came]);
    for (const [place, key] of this.#keys.entries())
      if (key !== undefined) all.push([key, this.#came[place] as number]);
    return all.sort(([, a], [, b]) => a - b);
  }
}
