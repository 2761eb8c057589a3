// @module-tag large
import { existsSync, readdirSync, readFileSync, statSync, unlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorTable } from '../../src/base/errors/errors.ts';
import { atEnd } from '../support/at-end.ts';
import { eventually } from '../support/eventually.ts';
import { canReadProcesses, waitUntilDead } from '../support/processes.ts';
import { callOne, greet, type Household, openHousehold } from './household.ts';

const onWindows = process.platform === 'win32';
const pidOf = async (house: Household) => Number((await house.status()).pid);
const socketOf = ({ folder }: Household) =>
  readdirSync(folder)
    .map((name) => join(folder, name))
    .find((path) => statSync(path).isSocket());

describe('the client of a shim', () => {
  it('that closes its input gets the answers that are due, also to a last line without an end', async () => {
    const house = openHousehold();
    const client = house.attach();
    await greet(client);
    const slow = callOne(client, 'slow', { ms: 700 });
    const exit = client.close();
    expect(await slow).toMatchObject({ content: [{ text: 'done after 0 steps' }] });
    expect(await exit).toMatchObject({ code: 0 });
  });

  it('gets large messages whole, both ways', async () => {
    const house = openHousehold();
    const client = house.attach();
    await greet(client);
    const text = 'ä€😀'.repeat(400_000);
    const answers = await Promise.all([1, 2, 3].map((turn) => callOne(client, 'echo', { turn, text })));
    expect(answers.map(({ structuredContent }) => structuredContent)).toEqual(
      [1, 2, 3].map((turn) => ({ turn, text })),
    );
  });

  it.skipIf(onWindows).each([
    ['SIGTERM', 0],
    ['SIGINT', 130],
  ] as const)('that sends %s gets the exit code of serve, and its calls are cancelled', async (signal, code) => {
    const house = openHousehold();
    const [client, other] = [house.attach(), house.attach()];
    await Promise.all([client, other].map(greet));
    callOne(client, 'slow', { ms: 60_000 }).catch(() => {});
    expect(await client.kill(signal)).toMatchObject({ code });
    await eventually(async () => expect(await house.status()).toMatchObject({ clients: 1 }));
    await callOne(other, 'echo');
  });

  it('is told, with a code and without half a line, when the daemon is killed', async () => {
    const house = openHousehold();
    const client = house.attach();
    await greet(client);
    callOne(client, 'slow', { ms: 60_000 }).catch(() => {});
    process.kill(await pidOf(house), 'SIGKILL');
    const { code, stderr } = await client.exited;
    expect(code).toBe(errorTable.WB1910.exit);
    expect(stderr).toContain('WB1910');
    expect(stderr).toContain(errorTable.WB1910.fix);
    expect(client.messages).toHaveLength(client.lines.length);
    await waitUntilDead(house.starts());
  });

  it('has a new daemon after that, at once', async () => {
    const house = openHousehold();
    const first = house.attach();
    await greet(first);
    const killed = await pidOf(house);
    process.kill(killed, 'SIGKILL');
    await first.exited;
    if (!onWindows) expect(socketOf(house)).toBeDefined();
    const next = [house.attach(), house.attach()];
    await Promise.all(next.map(greet));
    expect(await house.status()).toMatchObject({ running: true, clients: 2 });
    expect(await pidOf(house)).not.toBe(killed);
    // What the server lists may be known by now, and then only a call starts it.
    await Promise.all(next.map((client) => callOne(client, 'echo')));
    expect(house.starts()).toHaveLength(2);
  });
});

describe('the daemon', () => {
  it('outlives the client that started it', async () => {
    const house = openHousehold();
    const [first, second] = [house.attach(), house.attach()];
    await Promise.all([first, second].map(greet));
    await first.kill('SIGKILL');
    await second.kill('SIGKILL');
    const third = house.attach();
    await greet(third);
    expect(house.starts()).toHaveLength(1);
  });

  it('ends by itself when nobody has been there for --idle-ms of who started it, and takes everything with it', async () => {
    const house = openHousehold();
    const client = house.attach(['--idle-ms', '1500']);
    await greet(client);
    const pid = await pidOf(house);
    await client.close();
    await waitUntilDead([pid, ...house.starts()], 20_000);
    expect(await house.status()).toMatchObject({ running: false });
    expect(readdirSync(house.folder).filter((name) => !name.endsWith('.log'))).toEqual(['secret']);
    if (canReadProcesses) expect(house.processes()).toEqual([]);
  });

  it('that nobody ever came to ends as well, with exit code 0 in the foreground', async () => {
    const house = openHousehold();
    expect(await house.daemon('--idle-ms', '1').exited).toMatchObject({ code: 0 });
  });

  it('is ended by --stop: clients see the end of serve, a second --stop finds none', async () => {
    const house = openHousehold();
    const client = house.attach();
    await greet(client);
    const pid = await pidOf(house);
    const stop = await house.run('daemon', '--config', house.configPath, '--stop');
    expect(stop).toMatchObject({ code: 0, stdout: `✓ Daemon ${pid} has ended` });
    expect(await client.exited).toMatchObject({ code: 0 });
    await waitUntilDead([pid, ...house.starts()]);
    const again = await house.run('daemon', '--config', house.configPath, '--stop');
    expect(again).toMatchObject({ code: 0, stdout: `No daemon is running for ${house.configPath}` });
  });

  it('tells with --status who it is', async () => {
    const house = openHousehold();
    const client = house.attach();
    await greet(client);
    const { stdout } = await house.run('daemon', '--config', house.configPath, '--status');
    expect(stdout).toMatch(/^process {2}\d+\nsince {4}\d{4}-.*Z\nclients {2}1\nconfig {3}.*\nlog {6}.*\.log$/);
  });

  it('is one: a second one says which process has the place', async () => {
    const house = openHousehold();
    const client = house.attach();
    await greet(client);
    const second = house.daemon();
    expect(await second.exited).toMatchObject({
      code: errorTable.WB1911.exit,
      stderr: expect.stringContaining(`Process ${await pidOf(house)} is the daemon`),
    });
  });

  it.skipIf(onWindows)('ends at SIGTERM as serve does', async () => {
    const house = openHousehold();
    const daemon = house.daemon();
    await eventually(() => daemon.stderr.includes('serving'), 15_000);
    const client = house.attach();
    await greet(client);
    expect(await daemon.kill('SIGTERM')).toMatchObject({ code: 0 });
    expect(await client.exited).toMatchObject({ code: 0, stderr: expect.stringContaining('was stopped') });
    expect(daemon.lines).toEqual([]);
  });

  it.skipIf(onWindows)(
    'whose socket was removed ends with its last client, and does not take away that of the next',
    async () => {
      const house = openHousehold();
      const first = house.attach();
      await greet(first);
      const old = await pidOf(house);
      unlinkSync(socketOf(house) ?? '');
      const second = house.attach();
      await greet(second);
      expect(await pidOf(house)).not.toBe(old);
      await first.close();
      await waitUntilDead([old]);
      expect(await house.status()).toMatchObject({ running: true, clients: 1 });
    },
  );

  it.skipIf(onWindows)('replaces a socket that nobody listens at', async () => {
    const house = openHousehold();
    const first = house.attach();
    await greet(first);
    const path = socketOf(house) ?? '';
    await house.run('daemon', '--config', house.configPath, '--stop');
    const server = createServer().listen(`${path}.left`);
    atEnd(() => server.close());
    await eventually(() => existsSync(`${path}.left`));
    const { renameSync } = await import('node:fs');
    renameSync(`${path}.left`, path);
    await new Promise((resolve) => server.close(resolve));
    expect(statSync(path).isSocket()).toBe(true);
    const second = house.attach();
    await greet(second);
    expect(second.stderr).toContain('attached to the daemon');
  });

  it('writes its log, for its owner only, with secrets hidden', async () => {
    const house = openHousehold({
      config: { mcpServers: { one: { command: 'no-such-command', args: ['${TOKEN_OF_TEST}'] } } },
      env: { TOKEN_OF_TEST: 'sesame-open-now' },
    });
    const client = house.attach();
    await greet(client);
    const { log } = await house.status();
    await eventually(() => expect(readFileSync(String(log), 'utf8')).toContain('no-such-command'));
    expect(readFileSync(String(log), 'utf8')).not.toContain('sesame');
    if (!onWindows) expect(statSync(String(log)).mode & 0o777).toBe(0o600);
  });
});
