/** What is measured, and what came of it. */

export type Revision = '2025-11-25' | '2026-07-28';
export type Era = 'legacy' | 'modern';
export const revisions: readonly Revision[] = ['2025-11-25', '2026-07-28'];
export const eras: readonly Era[] = ['legacy', 'modern'];

/** One run of the suite. Which scenarios it has depends on side and revision only. */
export interface Cell {
  /** `server`: the suite is the client. `client`: the suite is the server. */
  readonly side: 'server' | 'client';
  readonly revision: Revision;
  /** Who is on the other end: the reference server behind the Workbench, or the client before it. */
  readonly era: Era;
  /** How the Workbench is reached or reaches on; `direct` is the run without it. */
  readonly via: 'direct' | 'stdio' | 'http';
}

/** `fail` and `warn` as the suite says; `none` when it had nothing to judge. */
export type Verdict = 'none' | 'pass' | 'warn' | 'fail';

export interface Judged {
  readonly verdict: Verdict;
  readonly message?: string;
}

/** The checks of one scenario, by id; of several with one id the worst counts. */
export type Scenario = ReadonlyMap<string, Judged>;
export type Measured = ReadonlyMap<string, Scenario>;

const ranks: readonly Verdict[] = ['none', 'pass', 'warn', 'fail'];

export function isWorse(verdict: Verdict, than: Verdict): boolean {
  return ranks.indexOf(verdict) > Math.max(ranks.indexOf(than), ranks.indexOf('pass'));
}

export function verdictOf(scenario: Scenario): Verdict {
  const found = [...scenario.values()].map(({ verdict }) => ranks.indexOf(verdict));
  return ranks[Math.max(0, ...found)] ?? 'none';
}

/** Without the Workbench: each revision against the reference server of its own era. */
export const directCells: readonly Cell[] = revisions.map((revision) => ({
  side: 'server',
  revision,
  era: eraOf(revision),
  via: 'direct',
}));

export const throughCells: readonly Cell[] = [
  ...revisions.flatMap((revision) =>
    eras.flatMap((era) => (['stdio', 'http'] as const).map((via): Cell => ({ side: 'server', revision, era, via }))),
  ),
  // The client before the Workbench is on a pipe: only there it may be asked to sign its user in.
  ...revisions.flatMap((revision) => eras.map((era): Cell => ({ side: 'client', revision, era, via: 'stdio' }))),
];

export function eraOf(revision: Revision): Era {
  return revision === '2026-07-28' ? 'modern' : 'legacy';
}

export function nameOf({ side, revision, era, via }: Cell): string {
  if (via === 'direct') return `${revision} suite directly at the ${era} server`;
  return side === 'server'
    ? `${revision} suite through the Workbench to the ${era} server over ${via}`
    : `${era} client through the Workbench to the ${revision} suite`;
}
