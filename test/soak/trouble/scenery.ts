/** The twenty servers of the soak: who they are, and how the configuration names them. */
import { join } from 'node:path';

export type Era = 'legacy' | 'modern';

export interface SoakServer {
  readonly name: string;
  readonly era: Era;
  readonly transport: 'stdio' | 'http';
  readonly bad: boolean;
  /** Only a few clients use it, because each of them has a process of its own there. */
  readonly own: boolean;
  /** It can ask the client whose call it runs. */
  readonly asks: boolean;
}

const healthy = { bad: false, own: false };
const many = (prefix: string, count: number, rest: Omit<SoakServer, 'name'>): SoakServer[] =>
  Array.from({ length: count }, (_, at) => ({ name: `${prefix}${at + 1}`, ...rest }));

export const soakServers: readonly SoakServer[] = [
  ...many('pipe-old', 5, { ...healthy, era: 'legacy', transport: 'stdio', asks: false }),
  ...many('pipe-new', 5, { ...healthy, era: 'modern', transport: 'stdio', asks: true }),
  ...many('pipe-own', 1, { bad: false, own: true, era: 'legacy', transport: 'stdio', asks: true }),
  ...many('web-old', 2, { ...healthy, era: 'legacy', transport: 'http', asks: true }),
  ...many('web-new', 3, { ...healthy, era: 'modern', transport: 'http', asks: true }),
  ...many('bad-old', 2, { bad: true, own: false, era: 'legacy', transport: 'stdio', asks: false }),
  ...many('bad-new', 1, { bad: true, own: false, era: 'modern', transport: 'stdio', asks: false }),
  ...many('bad-web', 1, { bad: true, own: false, era: 'legacy', transport: 'http', asks: false }),
];
export const badServers = soakServers.filter(({ bad }) => bad);
export const healthyServers = soakServers.filter(({ bad }) => !bad);
/** Those whose one process can be killed and counted. */
export const killable = healthyServers.filter(({ transport, own }) => transport === 'stdio' && !own);

export const separator = '__';
/** How long a call to a bad server may go without an answer. */
export const badTimeoutMs = 3_000;
const badStartMs = 5_000;
/** In all, with a start before it, and room for a machine that is busy. */
export const badLimitMs = badTimeoutMs + 2 * badStartMs + 10_000;
/** After so long without an answer a call to a healthy server is lost. */
export const healthyLimitMs = 60_000;

export interface Scenery {
  readonly fixtures: string;
  /** Where the servers write down what they do. */
  readonly ledgers: string;
  readonly turnFile: (server: string) => string;
  /** By name. */
  readonly ports: ReadonlyMap<string, number>;
}

/** What may be edited on the way. */
export interface Edit {
  /** A new number makes the bad servers new ones. */
  readonly generation: number;
  /** One server more. */
  readonly extra: boolean;
}

export const extraServer = 'pipe-extra';

export function toConfig(scenery: Scenery, { generation, extra }: Edit): object {
  const entries = soakServers.map((server) => [server.name, toEntry(server, scenery, generation)] as const);
  const added = { ...soakServers[0], name: extraServer } as SoakServer;
  const all = extra ? [...entries, [extraServer, toEntry(added, scenery, 0)] as const] : entries;
  return { mode: 'flat', separator, mcpServers: Object.fromEntries(all) };
}

function toEntry(server: SoakServer, { fixtures, ledgers, turnFile, ports }: Scenery, generation: number): object {
  const { name, era, transport, bad, own } = server;
  const limits = bad ? { timeoutMs: badTimeoutMs, startTimeoutMs: badStartMs } : {};
  if (transport === 'http') return { url: `http://127.0.0.1:${ports.get(name)}/${bad ? generation : ''}`, ...limits };
  const more = bad ? [turnFile(name), String(generation)] : [];
  const args = [join(fixtures, 'stdio-server.mjs'), name, era, ledgers, ...more];
  return { command: process.execPath, args, ...limits, ...(own ? { sharing: 'perSession', idleMs: 5_000 } : {}) };
}
