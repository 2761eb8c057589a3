/** What the soak found, in words and as a verdict. */

import { type FaultName, faultNames, type Tally } from './tally.ts';
import { type Footprint, ownDescriptors } from './trouble/footprint.ts';

export interface Findings {
  readonly minutes: number;
  readonly seed: number;
  readonly rate: number;
  readonly tally: Tally;
  readonly kills: number;
  readonly start: Footprint | undefined;
  readonly end: Footprint | undefined;
  /** One a second. */
  readonly footprints: readonly Footprint[];
  /** The longest of each second, in ms. */
  readonly stalls: readonly number[];
  /** Those of a process that does nothing, at the same time. */
  readonly idleStalls: readonly number[];
  /** What went wrong with the program itself: it died, it did not end, something was left running. */
  readonly troubles: readonly string[];
}

const descriptorsMore = 5;
const growth = 2;
/** Memory is judged in runs at least so long. */
const judgedMinutes = 5;

/** Why the run is no good; empty when it is. */
export function findReasons(findings: Findings): string[] {
  const { tally, start, end, footprints, minutes, troubles } = findings;
  const reasons = [...troubles];
  for (const [name, count] of tally.faults) reasons.push(`${faultNames[name]}: ${count}`);
  if (start !== undefined && end !== undefined) {
    const more = ownDescriptors(end) - ownDescriptors(start);
    if (Math.abs(more) > descriptorsMore) reasons.push(`descriptors did not come back: ${toSigned(more)}`);
    if (end.children > start.children) reasons.push(`children did not go: ${toSigned(end.children - start.children)}`);
  }
  const [early, late] = [footprints[60], footprints.at(-1)];
  if (
    minutes >= judgedMinutes &&
    early !== undefined &&
    late !== undefined &&
    late.megabytes > growth * early.megabytes
  )
    reasons.push(`memory grew from ${early.megabytes} to ${late.megabytes} MB`);
  return reasons;
}

/** Rows of name and value. */
export function toRows(findings: Findings): [string, string][] {
  const { tally, minutes, seed, rate, start, end, footprints, stalls, idleStalls, kills } = findings;
  const count = (kind: string) => tally.counts.get(kind) ?? 0;
  const megabytes = footprints.map((each) => each.megabytes);
  const of = (footprint: Footprint | undefined, key: keyof Footprint) => String(footprint?.[key] ?? '–');
  const faults = (Object.keys(faultNames) as FaultName[]).map((name): [string, string] => [
    faultNames[name],
    String(tally.faults.get(name) ?? 0),
  ]);
  return [
    ['minutes', String(minutes)],
    ['seed', String(seed)],
    ['calls', `${count('calls')}, and ${count('lists')} lists`],
    ['of them', ['progress', 'cancel', 'ask'].map((kind) => `${kind} ${count(`calls: ${kind}`)}`).join(', ')],
    ['calls/s', `${((count('calls') + count('lists')) / (minutes * 60)).toFixed(1)} (aimed at ${rate})`],
    ['answered by healthy servers', String(count('answered by healthy servers'))],
    ['healthy servers killed', `${kills}; calls cut off and told so: ${count('cut off by a kill, and told so')}`],
    ['sessions opened anew', String(count('sessions closed and opened anew'))],
    ['edits of the configuration', String(count('edits of the configuration'))],
    ...faults,
    ...[...tally.bad].sort().map(([fault, kinds]): [string, string] => [`bad servers: ${fault}`, toKinds(kinds)]),
    [
      'RSS MB start / minute 1 / peak / end',
      `${of(start, 'megabytes')} / ${megabytes[60] ?? '–'} / ${megabytes.length === 0 ? '–' : Math.max(...megabytes)} / ${of(end, 'megabytes')}`,
    ],
    ['descriptors start / end', `${of(start, 'descriptors')} / ${of(end, 'descriptors')}`],
    ['children start / end', `${of(start, 'children')} / ${of(end, 'children')}`],
    ['longest event-loop stall', `${toStalls(stalls)}; of an idle process beside it: ${toStalls(idleStalls)}`],
    ['1 kB calls p50 / p99', `${percentile(tally.latencies, 50)} / ${percentile(tally.latencies, 99)} ms`],
  ];
}

export function toTable(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join('\n');
}

export function percentile(values: readonly number[], percent: number): string {
  const sorted = [...values].sort((a, b) => a - b);
  return String(sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? '–');
}

function toKinds(kinds: ReadonlyMap<string, number>): string {
  return [...kinds]
    .sort(([, a], [, b]) => b - a)
    .map(([kind, count]) => `${kind} ${count}`)
    .join(', ');
}

function toSigned(count: number): string {
  return count > 0 ? `+${count}` : String(count);
}

const longStallMs = 200;

function toStalls(stalls: readonly number[]): string {
  if (stalls.length === 0) return '–';
  const long = stalls.filter((ms) => ms > longStallMs).length;
  return `${Math.max(...stalls)} ms (over ${longStallMs} ms in ${long} of ${stalls.length} s)`;
}
