/**
 * Compares what came through the Workbench with what came directly, and the difference with what `expected.json` says.
 * Both must agree: a difference that is not in the file is a fault, and so is a line of the file that is not true any more.
 */
import { type Cell, isWorse, type Measured, nameOf, type Scenario, verdictOf } from './measurement.ts';

/** A line of `expected.json`. */
export interface Expectation {
  /** Why these do not pass through, as a sentence. */
  readonly reason: string;
  /** Where it holds; what is left out can be anything. */
  readonly where: Partial<Cell>;
  /** `scenario`, or `scenario:check` where only some checks are concerned. */
  readonly scenarios: readonly string[];
}

export interface Comparison {
  readonly cell: Cell;
  readonly measured: Measured;
  /** The same suite without the Workbench; without one everything is supposed to pass. */
  readonly direct: Measured | undefined;
}

/** What is wrong, one sentence each; nothing when measurement and file agree. */
export function findDisagreements(
  { cell, measured, direct }: Comparison,
  expectations: readonly Expectation[],
): string[] {
  const here = expectations.filter(({ where }) => holds(where, cell));
  const listed = new Set(here.flatMap(({ scenarios }) => scenarios));
  const found: string[] = [];
  for (const [name, scenario] of measured) {
    const worse = direct === undefined ? findWorse(scenario) : findWorse(scenario, direct.get(name) ?? new Map());
    const own = [...listed].filter((item) => item === name || item.startsWith(`${name}:`));
    const isWhole = own.includes(name);
    if (isWhole && worse.size === 0)
      found.push(`${nameOf(cell)}: "${name}" passes, but expected.json says it does not.`);
    for (const item of own) {
      const check = item.slice(name.length + 1);
      if (item !== name && !worse.has(check))
        found.push(`${nameOf(cell)}: "${item}" passes, but expected.json says it does not.`);
    }
    for (const [check, message] of worse) {
      if (isWhole || listed.has(`${name}:${check}`)) continue;
      found.push(`${nameOf(cell)}: "${name}:${check}" passes directly, but not through. ${message}`.trim());
    }
  }
  return found;
}

/** Items that name nothing the suite runs where they are said to hold. */
export function findUnknown(comparisons: readonly Comparison[], expectations: readonly Expectation[]): string[] {
  return expectations.flatMap(({ where, scenarios }) => {
    const cells = comparisons.filter(({ cell }) => holds(where, cell));
    return scenarios
      .filter((item) => !cells.some(({ measured }) => measured.has(item.split(':')[0] ?? '')))
      .map((item) => `expected.json names "${item}", which the suite does not run there.`);
  });
}

/** The reason why a scenario does not pass, if one is known. */
export function findReasons(cell: Cell, name: string, expectations: readonly Expectation[]): string[] {
  return expectations
    .filter(({ where, scenarios }) => {
      return holds(where, cell) && scenarios.some((item) => item === name || item.startsWith(`${name}:`));
    })
    .map(({ reason }) => reason);
}

/** Whether the direct run says anything about this scenario. */
export function isComparable(direct: Measured | undefined, name: string): boolean {
  return direct === undefined || ['pass', 'warn'].includes(verdictOf(direct.get(name) ?? new Map()));
}

/** Checks that came out worse. A scenario that fails directly says nothing about us; one that judges nothing does not pass. */
function findWorse(scenario: Scenario, direct?: Scenario): Map<string, string> {
  if (direct !== undefined && !['pass', 'warn'].includes(verdictOf(direct))) return new Map();
  if (verdictOf(scenario) === 'none') return new Map([['nothing', 'The suite found nothing to judge.']]);
  const worse = [...scenario].filter(([id, { verdict }]) => isWorse(verdict, direct?.get(id)?.verdict ?? 'pass'));
  return new Map(worse.map(([id, { message = '' }]) => [id, message]));
}

function holds(where: Partial<Cell>, cell: Cell): boolean {
  return (Object.keys(where) as (keyof Cell)[]).every((key) => where[key] === cell[key]);
}
