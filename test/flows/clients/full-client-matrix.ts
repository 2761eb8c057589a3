/** Runs the steps of full clients, alone and three at once, at one door of the program, with servers of both eras and transports. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { atEnd } from '../../support/at-end.ts';
import { repoRoot } from '../../support/program.ts';
import type { Era } from '../support.ts';
import { connectLegacy, connectModern, type Door, type FullClient } from './full-client.ts';
import { steps } from './full-client-steps.ts';

const eras: readonly Era[] = ['legacy', 'modern'];
const transports = ['stdio', 'HTTP'] as const;

/** Opens the door of a program with this configuration, as often as it is asked for. */
export type OpenDoor = (config: object) => Promise<() => Door>;

const connect = { legacy: connectLegacy, modern: connectModern };

export function describeFullClients(where: string, openDoor: OpenDoor): void {
  describe.each(eras)(`a full client of the %s era at ${where}`, (client) => {
    describe.each(eras)('to a server of the %s era', (server) => {
      describe.each(transports)('over %s', (transport) => {
        it.each([
          ['alone', 1],
          ['with two others at once', 3],
        ] as const)(
          'does all that it can, %s',
          async (_, count) => {
            const entry = await serverEntry(server, transport);
            const door = await openDoor({ mode: 'flat', mcpServers: { reference: { ...entry, prefix: false } } });
            const clients = await Promise.all(
              Array.from({ length: count }, (_each, at) => connect[client](door(), `client${at + 1}`)),
            );
            await Promise.all(clients.map(getReady));
            await Promise.all(clients.map(walk));
          },
          90_000,
        );
      });
    });
  });
}

/**
 * What several clients make a local server ask or say at the same time could be anybody's, once: after that each has its own. What
 * is refused meanwhile says so, and a client calls again.
 */
async function getReady(client: FullClient): Promise<void> {
  for (let times = 0; times < 5; times++) {
    const log = client.call('test_tool_with_logging', {}, { logLevel: 'debug' });
    const { isError } = await client.call('test_sampling', { prompt: 'Are you there?' });
    await log;
    if (isError !== true) return;
  }
  throw new Error(`${client.name} is refused again and again`);
}

async function walk(client: FullClient): Promise<void> {
  for (const { name, notFor, run } of steps) {
    if (notFor?.[client.era] !== undefined) continue;
    try {
      await run(client);
    } catch (error) {
      throw new Error(`${client.name}: "${name}": ${error instanceof Error ? error.message : error}`, { cause: error });
    }
  }
}

async function serverEntry(era: Era, transport: (typeof transports)[number]): Promise<object> {
  const path = join(repoRoot, 'test/conformance/reference', `${era}.mjs`);
  if (transport === 'stdio') return { command: process.execPath, args: [path] };
  const child = spawn(process.execPath, [path, 'http'], { stdio: ['ignore', 'pipe', 'ignore'] });
  atEnd(() => stop(child));
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { url: String(line).trim() };
}

async function stop(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}
