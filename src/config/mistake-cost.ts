/**
 * What a mistake in a key of the file costs, beside that key. An entry of a server or toolbox costs itself only; a key that guards
 * all of them must hold, or nothing may be served where it would guard.
 */
import type { Report } from './report.ts';
import type { configShape } from './schema.ts';
import { type Node, toMembers } from './tree.ts';

/** start: nothing is served at all. http: nothing is served over HTTP. key: what the key says. */
export type Cost = 'start' | 'http' | 'key';

type Key = keyof (typeof configShape)['members'];

/** Every key has to be decided on: one that guards must not be forgotten. */
const costs: Readonly<Record<Key, Cost>> = {
  $schema: 'key',
  mode: 'key',
  // A wrong separator is refused at the start, wherever it comes from.
  separator: 'start',
  maxNameLength: 'key',
  safeNames: 'key',
  startWaitMs: 'key',
  keepCatalog: 'key',
  pageSize: 'key',
  mcpServers: 'key',
  servers: 'key',
  inputs: 'key',
  toolboxes: 'key',
  http: 'http',
  auth: 'http',
  limits: 'start',
};

/** `misspelt`: known keys that unknown ones seem to mean; a mistake in one of those is a mistake in what was meant. */
export function findCosts(root: Node, misspelt: ReadonlySet<string>, report: Report): ReadonlySet<Cost> {
  const wrong = toMembers(root, '')
    .map((member) => ({ key: member.key, problems: report.errorsIn(member) }))
    .filter(({ problems }) => problems.length > 0);
  const placed = wrong.reduce((sum, { problems }) => sum + problems.length, 0);
  const found = new Set([...misspelt, ...wrong.map(({ key }) => key)].map(costOf));
  // What is about no key is about the whole file.
  return placed < report.errors().length ? found.add('start') : found;
}

function costOf(key: string): Cost {
  return Object.hasOwn(costs, key) ? costs[key as Key] : 'key';
}
