/**
 * What all senders together have sent by halves, bounded. Over the bound the owner who holds most loses the part on which nothing
 * has come for the longest time: whoever sends and goes on is not held up by those who have stopped.
 */

/** Whoever the parts belong to. */
export type Owner = string | object;

export interface ByteBudget {
  /** Begins to hold for an owner. `giveUp` is told when it must go; by then it is closed. */
  hold(owner: Owner, giveUp: () => void): HeldPart;
  /** One part may be this large, so there is room for some of them. */
  makeRoom(partBytes: number): void;
}

export interface HeldPart {
  grow(bytes: number): void;
  /** All of it has come: it is no longer given up, but still counts. */
  complete(): void;
  close(): void;
}

interface Entry {
  readonly owner: Owner;
  readonly giveUp: () => void;
  bytes: number;
  whole: boolean;
}

/** So many of the largest parts fit. */
const partsThatFit = 4;

export function createByteBudget(bytes: number): ByteBudget {
  let most = bytes;
  let sum = 0;
  /** The first is the one on which nothing has come for the longest time. */
  const entries = new Set<Entry>();
  const close = (entry: Entry) => {
    if (entries.delete(entry)) sum -= entry.bytes;
  };
  const shrink = () => {
    while (sum > most) {
      const victim = findVictim(entries);
      if (victim === undefined) return;
      close(victim);
      victim.giveUp();
    }
  };
  return {
    hold(owner, giveUp) {
      const entry: Entry = { owner, giveUp, bytes: 0, whole: false };
      entries.add(entry);
      return {
        grow(more) {
          if (!entries.delete(entry)) return;
          entries.add(entry);
          entry.bytes += more;
          sum += more;
          shrink();
        },
        complete() {
          entry.whole = true;
        },
        close: () => close(entry),
      };
    },
    makeRoom(partBytes) {
      most = Math.max(most, partsThatFit * partBytes);
    },
  };
}

/** Of the owner who holds most, what has stood still for the longest time; of the next one where nothing can be given up. */
function findVictim(entries: ReadonlySet<Entry>): Entry | undefined {
  const owners = new Map<Owner, { bytes: number; stalled: Entry | undefined }>();
  for (const entry of entries) {
    const owner = owners.get(entry.owner) ?? { bytes: 0, stalled: undefined };
    owner.bytes += entry.bytes;
    if (!entry.whole && entry.bytes > 0) owner.stalled ??= entry;
    owners.set(entry.owner, owner);
  }
  const [largest] = [...owners.values()]
    .filter(({ stalled }) => stalled !== undefined)
    .sort((a, b) => b.bytes - a.bytes);
  return largest?.stalled;
}
