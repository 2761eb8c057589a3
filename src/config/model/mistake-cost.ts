/**
 * What else a mistake in a key disables besides that key. A wrong server or toolbox disables only itself; a wrong key that
 * protects all of them disables everything that it should protect.
 */

import { type Node, toMembers } from '../document/json-node.ts';
import type { Report } from '../document/report.ts';
import type { configShape } from './schema.ts';

/** start: nothing is served at all. http: nothing is served over HTTP. key: only this key is not in force. */
export type Cost = 'start' | 'http' | 'key';

type Key = keyof (typeof configShape)['members'];

/** Every key must be listed, so that a key that protects cannot be forgotten. */
const costs: Readonly<Record<Key, Cost>> = {
  $schema: 'key',
  mode: 'key',
  // A wrong separator is refused at the start, from any source.
  separator: 'start',
  maxNameLength: 'key',
  safeNames: 'key',
  schemas: 'key',
  pinned: 'key',
  clients: 'key',
  startWaitMs: 'key',
  keepCatalog: 'key',
  pageSize: 'key',
  mcpServers: 'key',
  servers: 'key',
  inputs: 'key',
  toolboxes: 'key',
  http: 'http',
  auth: 'http',
  search: 'key',
  limits: 'start',
  results: 'key',
};

/**
 * `misspelt` holds the known keys that unknown keys seem to mean; a mistake in one of those counts as a mistake in the known key.
 */
export function findCosts(root: Node, misspelt: ReadonlySet<string>, report: Report): ReadonlySet<Cost> {
  const wrong = toMembers(root, '')
    .map((member) => ({ key: member.key, problems: report.errorsIn(member) }))
    .filter(({ problems }) => problems.length > 0);
  const placed = wrong.reduce((sum, { problems }) => sum + problems.length, 0);
  const found = new Set([...misspelt, ...wrong.map(({ key }) => key)].map(costOf));
  // A problem without a key concerns the whole file.
  return placed < report.errors().length ? found.add('start') : found;
}

function costOf(key: string): Cost {
  return Object.hasOwn(costs, key) ? costs[key as Key] : 'key';
}
