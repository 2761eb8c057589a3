// @module-tag large
/**
 * A configuration that leads back to the Workbench: in each way this can happen no more than one level is started, and what is
 * beside it is served. `LOOP_SECONDS=20 npx vitest run test/flows/lists/loops.test.ts` counts for that long and prints the counts.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { atEnd } from '../../support/at-end.ts';
import { eventually } from '../../support/eventually.ts';
import { canReadProcesses, tempDir } from '../../support/processes.ts';
import { programPath, repoRoot } from '../../support/program.ts';
import { type RawClient, startRaw } from '../../support/raw-client.ts';

const seconds = Number(process.env.LOOP_SECONDS ?? 0);
const node = process.execPath;
const fixtures = resolve(repoRoot, 'test/fixtures/servers');
const gateway = join(fixtures, 'gateway.mjs');

interface House {
  readonly dir: string;
  readonly env: Record<string, string | undefined>;
  /** Writes a file and gives its path. */
  file(name: string, content: unknown): string;
  start(...args: string[]): RawClient;
}

/** Everything that is started here names a file of this folder. */
function openHouse(): House {
  const dir = tempDir();
  const env = { WORKBENCH_STATE: undefined, XDG_STATE_HOME: join(dir, 'state') };
  // The names of our processes, for what has lost its parents.
  atEnd(() => {
    for (const { pid } of processesIn(dir)) process.kill(pid, 'SIGKILL');
  });
  return {
    dir,
    env,
    file(name, content) {
      const path = join(dir, name);
      writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
      return path;
    },
    start: (...args) => startRaw(node, [programPath, ...args], { env, cwd: dir }),
  };
}

function processesIn(dir: string): { pid: number; line: string }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const line = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
        return line.includes(dir) ? [{ pid: Number(name), line }] : [];
      } catch {
        return [];
      }
    });
}

/** The most Workbenches that there were at one time. */
async function countWorkbenches(dir: string): Promise<number> {
  const until = Date.now() + seconds * 1_000;
  let most = 0;
  do {
    const found = processesIn(dir).filter(({ line }) => line.includes('mcp-workbench.cjs') && line.startsWith(node));
    most = Math.max(most, found.length);
    if (Date.now() < until) await new Promise((done) => setTimeout(done, 250));
  } while (Date.now() < until);
  return most;
}

function beside(dir: string) {
  return { command: node, args: [join(fixtures, 'raw-legacy.mjs'), dir] };
}

const self = (config: string, command = 'serve') => ({
  command: node,
  args: [programPath, command, '--config', config],
});

/** How each kind is laid out, what is started, how many Workbenches there may be, the first one included. */
const kinds: Record<string, { most: number; lay(house: House): string[] }> = {
  'an entry of its own file': {
    most: 1,
    lay({ dir, file }) {
      const path = join(dir, 'one.json');
      return ['serve', '--config', file('one.json', { mcpServers: { beside: beside(dir), self: self(path) } })];
    },
  },
  'two files that name each other': {
    most: 2,
    lay({ dir, file }) {
      const [a, b] = [join(dir, 'a.json'), join(dir, 'b.json')];
      file('b.json', { mcpServers: { back: self(a) } });
      return ['serve', '--config', file('a.json', { mcpServers: { beside: beside(dir), on: self(b) } })];
    },
  },
  'another gateway that passes its environment on': {
    most: 2,
    lay: ({ dir, file }) => layGateway({ dir, file }, 'pass'),
  },
  'another gateway that drops its environment': {
    most: 2,
    lay: ({ dir, file }) => layGateway({ dir, file }, 'drop'),
  },
  'two gateways and two files': {
    most: 3,
    lay({ dir, file }) {
      const behind = (name: string) => ({ command: node, args: [gateway, join(dir, name), 'drop'] });
      file('to-b.json', { mcpServers: { on: self(join(dir, 'b.json')) } });
      file('to-a.json', { mcpServers: { back: self(join(dir, 'a.json')) } });
      file('b.json', { mcpServers: { other: behind('to-a.json') } });
      return ['serve', '--config', file('a.json', { mcpServers: { beside: beside(dir), other: behind('to-b.json') } })];
    },
  },
  'attach, behind its own daemon': {
    // The shim of the client and the daemon.
    most: 2,
    lay({ dir, file }) {
      const path = join(dir, 'one.json');
      const mcpServers = { beside: beside(dir), self: self(path, 'attach') };
      return ['attach', '--config', file('one.json', { mcpServers })];
    },
  },
  'attach, through a gateway behind its own daemon': {
    most: 3,
    lay({ dir, file }) {
      const path = join(dir, 'one.json');
      file('gateway.json', { mcpServers: { back: self(path, 'attach') } });
      const other = { command: node, args: [gateway, join(dir, 'gateway.json'), 'drop'] };
      return ['attach', '--config', file('one.json', { mcpServers: { beside: beside(dir), other } })];
    },
  },
  'a link, a shell line and a package': {
    most: 1,
    lay({ dir, file }) {
      const path = join(dir, 'one.json');
      symlinkSync(programPath, join(dir, 'wb'));
      const mcpServers = {
        beside: beside(dir),
        link: { command: join(dir, 'wb'), args: ['serve', '--config', path] },
        shell: { command: 'sh', args: ['-c', `exec ${node} ${programPath} serve --config ${path}`] },
        runner: { command: 'npx', args: ['-y', 'mcp-workbench', 'serve', '--config', path] },
        env: { command: 'env', args: ['A=1', node, programPath, '--config', path] },
      };
      return ['serve', '--config', file('one.json', { mcpServers })];
    },
  },
  'a script that nobody can see into': {
    most: 2,
    lay({ dir, file }) {
      const path = join(dir, 'one.json');
      const script = file('start.sh', `#!/bin/sh\nexec ${node} ${programPath} serve --config ${path}\n`);
      chmodSync(script, 0o755);
      return [
        'serve',
        '--config',
        file('one.json', { mcpServers: { beside: beside(dir), self: { command: script } } }),
      ];
    },
  },
};

function layGateway({ dir, file }: Pick<House, 'dir' | 'file'>, environment: 'pass' | 'drop'): string[] {
  file('gateway.json', { mcpServers: { back: self(join(dir, 'one.json')) } });
  const other = { command: node, args: [gateway, join(dir, 'gateway.json'), environment] };
  return ['serve', '--config', file('one.json', { mcpServers: { beside: beside(dir), other } })];
}

async function toolNames(client: RawClient): Promise<string[]> {
  const { message } = await client.request('tools/list', {}, { timeoutMs: 60_000 });
  return ((message.result as JsonObject).tools as JsonObject[]).map(({ name }) => String(name));
}

describe.skipIf(!canReadProcesses)('a configuration that leads back to the Workbench', () => {
  it.each(Object.keys(kinds))(
    'a configuration that leads back to the Workbench starts no more than one level through %s',
    async (kind) => {
      const house = openHouse();
      const { most, lay } = kinds[kind] ?? { most: 0, lay: () => [] };
      const client = house.start(...lay(house));
      await client.legacyHandshake();
      const names = await toolNames(client);
      const count = await countWorkbenches(house.dir);
      if (seconds > 0) process.stderr.write(`${kind}: at most ${count} Workbenches in ${seconds} s\n`);
      expect(count).toBeLessThanOrEqual(most);
      expect(names).toContain('beside:echo');
      // Nothing came around: no name has been through the Workbench twice.
      expect(names.filter((name) => name.split('beside').length > 2 || name.includes('back.beside'))).toEqual([]);
      const { message } = await client.request('tools/call', { name: 'beside:echo', arguments: { text: 'hello' } });
      expect(JSON.stringify(message.result)).toContain('hello');
      await client.close(20_000);
    },
    60_000 + seconds * 2_000,
  );

  it(
    'a configuration that leads back to the Workbench is refused over HTTP to its own port',
    async () => {
      const house = openHouse();
      const token = 'a-token-for-loops';
      const path = join(house.dir, 'one.json');
      const port = await freePort();
      const own = { url: `http://127.0.0.1:${port}/mcp`, headers: { Authorization: `Bearer ${token}` } };
      house.file('one.json', { mcpServers: { beside: beside(house.dir), own } });
      const client = house.start('serve', `--http=${port}`, '--stdio', '--token', token, '--config', path);
      await eventually(() => expect(client.stderr).toContain('listens at'), 20_000);
      await client.legacyHandshake();
      const names = await toolNames(client);
      expect(names).toContain('beside:echo');
      expect(names.filter((name) => name.startsWith('own'))).toEqual([]);
      expect(await countWorkbenches(house.dir)).toBe(1);
      const called = await client.request('tools/call', { name: 'own:beside:echo', arguments: {} });
      expect(JSON.stringify(called.message)).toContain('WB1023');
      await client.close(20_000);
    },
    60_000 + seconds * 2_000,
  );

  it('a configuration that leads back to the Workbench ends between two services that name each other', async () => {
    const house = openHouse();
    const token = 'a-token-for-loops';
    const [portA, portB] = [await freePort(), await freePort()];
    const to = (port: number) => ({
      url: `http://127.0.0.1:${port}/mcp`,
      headers: { Authorization: `Bearer ${token}` },
    });
    const a = house.file('a.json', { mcpServers: { beside: beside(house.dir), b: to(portB) } });
    const b = house.file('b.json', { mcpServers: { other: beside(house.dir), a: to(portA) } });
    const serve = async (config: string, port: number) => {
      const client = house.start('serve', `--http=${port}`, '--stdio', '--token', token, '--config', config);
      await eventually(() => expect(client.stderr).toContain('listens at'), 20_000);
      await client.legacyHandshake();
      return client;
    };
    const first = await serve(b, portB);
    expect(await toolNames(first)).toContain('other:echo');
    const second = await serve(a, portA);
    // Which of the two finds the other first is a matter of chance; the second to come finds itself.
    await eventually(async () => {
      const names = [...(await toolNames(first)), ...(await toolNames(second))];
      expect(names.some((name) => name === 'a:beside:echo' || name === 'b:other:echo')).toBe(true);
    }, 20_000);
    for (const client of [first, second]) {
      await client.request('tools/call', { name: 'a:beside:echo', arguments: { text: 'x' } });
      await client.request('tools/call', { name: 'b:other:echo', arguments: { text: 'x' } });
      expect((await toolNames(client)).filter((name) => /a:b:|b:a:/.test(name))).toEqual([]);
    }
  }, 60_000);

  it('a configuration that leads back to the Workbench is told by check and list, with what to do, and is no failure of the file', () => {
    const house = openHouse();
    const args = kinds['an entry of its own file']?.lay(house).slice(1) ?? [];
    for (const command of ['check', 'list']) {
      const options = { env: { ...process.env, ...house.env }, cwd: house.dir, encoding: 'utf8' } as const;
      const { status, stdout } = spawnSync(node, [programPath, command, ...args], options);
      expect(stdout).toContain('this Workbench itself');
      expect(stdout).toContain('WB1023');
      expect(stdout).toContain('its own file');
      expect(status).toBe(0);
    }
  });

  it('a configuration that leads back to the Workbench is told in mode meta to whoever opens the toolbox', async () => {
    const house = openHouse();
    const path = join(house.dir, 'one.json');
    const mcpServers = { beside: beside(house.dir), self: self(path) };
    house.file('one.json', { toolboxes: { all: { description: 'All.', mcpServers } } });
    const client = house.start('serve', '--config', path);
    await client.legacyHandshake();
    const { message } = await client.request('tools/call', { name: 'open_toolbox', arguments: { toolbox: 'all' } });
    const opened = (message.result as JsonObject).structuredContent as JsonObject;
    expect(opened.servers_connected).toBe(1);
    expect(JSON.stringify(opened.servers_failed)).toContain('this Workbench itself');
  });

  it('a configuration that leads back to the Workbench does not keep one Workbench with another file from being behind it', async () => {
    const house = openHouse();
    const inner = house.file('inner.json', { mcpServers: { beside: beside(house.dir) } });
    const outer = house.file('outer.json', { mcpServers: { inner: self(inner) } });
    const client = house.start('serve', '--config', outer);
    await client.legacyHandshake();
    expect(await toolNames(client)).toContain('inner:beside:echo');
  });
});

async function freePort(): Promise<number> {
  const { createServer } = await import('node:net');
  return new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => done(port));
    });
  });
}
