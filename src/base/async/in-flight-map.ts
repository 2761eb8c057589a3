/**
 * A Map for entries that come and go all the time, such as open calls.
 *
 * When V8 grows, shrinks or compacts a Map, the old table refers to the new one and still to everything that was in it. Once one
 * of them is in the old generation, all later ones survive with it, together with every call that was open when a table was
 * replaced: the collector copied 4 KB of dead objects per call, a third of all time. Here a numeric key has a slot in an array,
 * chosen by its last digits, and the slot is emptied when the entry goes. Ids mostly count up, so two open ones rarely want the
 * same slot. Other keys are in a Map, whose tables refer to slots that are emptied.
 */
export type ReadonlyInFlightMap<K, V> = Pick<
  ReadonlyMap<K, V>,
  'get' | 'has' | 'size' | 'values' | (typeof Symbol)['iterator']
>;

interface Slot<V> {
  value: V | undefined;
  came: number;
}

const fewestPlaces = 8;
const maxPlaces = 1_024;

export class InFlightMap<K, V extends object> implements ReadonlyInFlightMap<K, V> {
  /** For each slot: its key, its value, and when the value was set. */
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

  /** Removes an entry and returns its value. */
  delete(key: K): V | undefined {
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
    for (const [key] of this.#inOrder()) this.delete(key);
  }

  /** In the order of insertion. */
  *values(): IterableIterator<V> {
    for (const [, value] of this) yield value;
  }

  *[Symbol.iterator](): IterableIterator<[K, V]> {
    for (const [key] of this.#inOrder()) {
      // The reader may have removed it.
      const value = this.get(key);
      if (value !== undefined) yield [key, value];
    }
  }

  /** Negative for a key without a slot. */
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
      if (this.#keys.length >= maxPlaces) return false;
      this.#grow();
    }
    return true;
  }

  /** Doubling the table cannot create collisions. */
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
