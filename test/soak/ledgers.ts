/** What the servers have written down, read by the name of the server. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Tally } from './tally.ts';
import { killable } from './trouble/scenery.ts';

export interface Entry {
  readonly server: string;
  readonly what: string;
  readonly about: string;
}

export function readLedgers(folder: string): Entry[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.log'))
    .flatMap((file) => toEntries(basename(file, '.log'), readFileSync(join(folder, file), 'utf8')));
}

export function toEntries(server: string, text: string): Entry[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [what = '', about = ''] = line.split(' ');
      return { server, what, about };
    });
}

/** Every process that was ever started. */
export function startedBy(entries: readonly Entry[]): number[] {
  return entries.filter(({ what }) => what === 'started').map(({ about }) => Number(about));
}

/** `kills`: how often each server was killed. */
export function judgeLedgers(entries: readonly Entry[], kills: ReadonlyMap<string, number>, tally: Tally): void {
  const of = (wanted: string) => entries.filter(({ what }) => what === wanted);
  const ran = new Set<string>();
  for (const { server, about } of of('ran')) {
    if (!about.startsWith(`${server}.`)) tally.fault('misrouted', `${about} ran at ${server}`);
    if (ran.has(about)) tally.fault('duplicated', `${about} ran twice at ${server}`);
    ran.add(about);
  }
  const cancelled = new Set(of('cancelled').map(({ about }) => about));
  for (const [at, { server, what, about }] of entries.entries())
    if (what === 'waits' && !cancelled.has(about) && !endsSoon(entries, at))
      tally.fault('uncancelled', `${about} goes on at ${server}`);
  for (const { name } of killable) {
    const starts = of('started').filter(({ server }) => server === name).length;
    const unasked = starts - 1 - (kills.get(name) ?? 0);
    if (unasked > 0) tally.fault('restarted', `${name} was started ${starts} times`);
  }
}

/** A process writes down at most so much between the beginning of a call and its cancellation. */
const soon = 30;

/** Whether another process took the place of the one that wrote this line: it was killed, and what it was doing with it. */
function endsSoon(entries: readonly Entry[], at: number): boolean {
  const { server } = entries[at] as Entry;
  return entries.slice(at, at + soon).some((entry) => entry.server === server && entry.what === 'started');
}
