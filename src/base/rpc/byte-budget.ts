/**
 * A bound on the unfinished messages of all senders together. Above the bound, the owner who holds most loses the part that has
 * been idle longest, so that senders who go on are not held up by senders who have stopped.
 */

/** Identifies the sender that the parts belong to. */
export type BudgetOwner = string | object;

export interface ByteBudget {
  /** Begins to hold bytes for an owner. `giveUp` is called when they must go; the part is closed by then. */
  hold(owner: BudgetOwner, giveUp: () => void): HeldPart;
  /** One part may be this large; there is room for several of them. */
  makeRoom(partBytes: number): void;
}

export interface HeldPart {
  grow(bytes: number): void;
  /** The message is complete: it is not given up any more, but still counts. */
  complete(): void;
  close(): void;
}

interface Entry {
  readonly owner: BudgetOwner;
  readonly giveUp: () => void;
  bytes: number;
  whole: boolean;
}

/** How many of the largest parts fit. */
const partsThatFit = 4;

export function createByteBudget(bytes: number): ByteBudget {
  let most = bytes;
  let sum = 0;
  /** The first part has been idle longest. */
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

/** The part of the largest owner that has been idle longest; of the next owner when the largest has nothing to give up. */
function findVictim(entries: ReadonlySet<Entry>): Entry | undefined {
  const owners = new Map<BudgetOwner, { bytes: number; stalled: Entry | undefined }>();
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
