/**
 * Every call of the soak, by its nonce: what was expected, what came. Counts only; nothing here waits or sends.
 * A fault is something that must not happen at all; the first of each kind are kept in words.
 */

export const faultNames = {
  lost: 'lost (healthy servers)',
  duplicated: 'duplicated (ran twice)',
  misrouted: 'misrouted',
  twice: 'answered twice',
  damaged: 'damaged on the way',
  refused: 'refused by healthy servers',
  unanswered: 'unanswered (bad servers)',
  late: 'answered too late (bad servers)',
  progress: 'progress lost',
  uncancelled: 'cancelled, but not at the server',
  listing: 'lists that lack a healthy server',
  restarted: 'healthy servers restarted unasked',
  reloads: 'edits that had no effect',
} as const;
export type FaultName = keyof typeof faultNames;

const mostExamples = 5;
const longestExample = 300;

export interface Tally {
  readonly faults: ReadonlyMap<FaultName, number>;
  readonly examples: readonly string[];
  /** Everything else that happened, by kind. */
  readonly counts: ReadonlyMap<string, number>;
  /** Answers of bad servers, by fault of the turn and kind of the answer. */
  readonly bad: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** How long plain calls to healthy servers took, in ms. */
  readonly latencies: readonly number[];
  fault(name: FaultName, about: string): void;
  count(kind: string): void;
  countBad(fault: string, kind: string): void;
  latency(ms: number): void;
}

export function createTally(): Tally {
  const faults = new Map<FaultName, number>();
  const counts = new Map<string, number>();
  const bad = new Map<string, Map<string, number>>();
  const examples: string[] = [];
  const latencies: number[] = [];
  return {
    faults,
    examples,
    counts,
    bad,
    latencies,
    fault(name, about) {
      const before = faults.get(name) ?? 0;
      faults.set(name, before + 1);
      if (before < mostExamples) examples.push(`${faultNames[name]}: ${about}`.slice(0, longestExample));
    },
    count: (kind) => void add(counts, kind),
    countBad(fault, kind) {
      const kinds = bad.get(fault) ?? new Map<string, number>();
      bad.set(fault, kinds);
      add(kinds, kind);
    },
    latency: (ms) => void latencies.push(ms),
  };
}

function add(counts: Map<string, number>, kind: string): void {
  counts.set(kind, (counts.get(kind) ?? 0) + 1);
}
