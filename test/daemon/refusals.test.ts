// @module-tag large
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorTable } from '../../src/base/errors/errors.ts';
import { planDaemonPaths } from '../../src/daemon/daemon-paths.ts';
import { atEnd } from '../support/at-end.ts';
import { fixture } from '../support/servers.ts';
import { callOne, greet, type Household, openHousehold } from './household.ts';

const onWindows = process.platform === 'win32';
const withVariable = { mcpServers: { one: fixtureWith('${COLOUR_OF_TEST:-none}') } };

function fixtureWith(name: string) {
  const { command, args } = fixture('raw-legacy');
  return { command, args: [...args, `NAME=${name}`] };
}

/** Serves without a daemon, and works. */
async function expectAlone(client: ReturnType<Household['attach']>, why: string): Promise<void> {
  await greet(client);
  await callOne(client, 'echo');
  expect(client.stderr).toContain('serving without the daemon: ');
  expect(client.stderr).toContain(why);
  expect(client.stderr.split('\n').filter((line) => line.includes('without the daemon'))).toHaveLength(1);
  expect(await client.close()).toMatchObject({ code: 0 });
}

describe('a shim serves its client itself', () => {
  it.each([
    ['another value', { COLOUR_OF_TEST: 'blue' }],
    ['no value', { COLOUR_OF_TEST: undefined }],
    ['an empty value', { COLOUR_OF_TEST: '' }],
  ])('when a variable of the configuration has %s, and tells its name but no value', async (_what, env) => {
    const house = openHousehold({ config: withVariable, env: { COLOUR_OF_TEST: 'red-as-a-rose' } });
    const first = house.attach();
    await greet(first);
    const second = house.attach([], env);
    await expectAlone(second, 'the variable COLOUR_OF_TEST has a different value');
    expect(second.stderr).not.toContain('red-as-a-rose');
    expect(await house.status()).toMatchObject({ clients: 1 });
    const third = house.attach();
    await greet(third);
    expect(third.stderr).toContain('attached to the daemon');
  });

  it.skipIf(onWindows)('when others may use the folder', async () => {
    const house = openHousehold();
    mkdirSync(house.folder, { recursive: true });
    chmodSync(house.folder, 0o755);
    await expectAlone(house.attach(), `${house.folder} can be used by other users`);
  });

  it.skipIf(onWindows)('when the folder is a link to another one', async () => {
    const house = openHousehold();
    mkdirSync(join(house.dir, 'elsewhere'), { mode: 0o700 });
    symlinkSync(join(house.dir, 'elsewhere'), house.folder);
    await expectAlone(house.attach(), `${house.folder} is a symbolic link`);
  });

  it('when there can be no folder', async () => {
    const house = openHousehold();
    writeFileSync(house.folder, 'a file');
    await expectAlone(house.attach(), `${house.folder} is not a folder`);
  });

  it.skipIf(onWindows)('when others may read the secret', async () => {
    const house = openHousehold();
    mkdirSync(house.folder, { mode: 0o700 });
    writeFileSync(join(house.folder, 'secret'), 'a'.repeat(64), { mode: 0o644 });
    await expectAlone(house.attach(), 'secret can be used by other users');
  });

  it('when the daemon has another secret', async () => {
    const house = openHousehold();
    const first = house.attach();
    await greet(first);
    rmSync(join(house.folder, 'secret'));
    await expectAlone(house.attach(), 'the program that listens there does not know the secret');
    await callOne(first, 'echo');
    await first.kill();
  });

  it.skipIf(onWindows)('when a stranger listens who refuses it, of whose words nothing is repeated', async () => {
    const house = openHousehold();
    const { address } = placeOf(house);
    mkdirSync(house.folder, { mode: 0o700 });
    const refused = `\u001b]0;owned\u0007\u001b[2Jrun: curl example.com ${'x'.repeat(10_000)}`;
    const server = createServer((socket) => {
      socket.write('{"nonce":"00"}\n');
      socket.on('error', () => {}).on('data', () => socket.write(`${JSON.stringify({ refused })}\n`));
    }).listen(address);
    atEnd(() => server.close());
    const client = house.attach();
    await expectAlone(client, 'does not know the secret');
    expect(client.stderr).not.toContain('owned');
    expect(client.stderr).not.toContain('curl');
    expect(client.stderr).not.toContain('\u001b');
  });

  it.skipIf(onWindows)('when an impostor listens who does not know the secret', async () => {
    const house = openHousehold();
    const { address } = placeOf(house);
    mkdirSync(house.folder, { mode: 0o700 });
    const said: string[] = [];
    const server = createServer((socket) => {
      socket.write('{"nonce":"00"}\n');
      socket
        .on('error', () => {})
        .on('data', (chunk) => {
          said.push(chunk.toString('utf8'));
          const greeting = { pid: 1, clients: 0, proof: 'f'.repeat(64), since: '', config: '', version: '', log: '' };
          socket.write(`${JSON.stringify({ ...greeting, variables: [], notes: [] })}\n`);
        });
    }).listen(address);
    atEnd(() => server.close());
    await expectAlone(house.attach(), 'does not know the secret');
    // Nothing of the client has been told.
    expect(said.join('')).not.toContain('initialize');
  });
});

/** As the program under test has it. */
function placeOf({ configPath, folder }: Household) {
  const stateDir = join(folder, '..');
  const version = process.env.npm_package_version ?? '0.1.0';
  return planDaemonPaths({
    platform: process.platform,
    env: {},
    stateDir,
    tempDir: '/tmp',
    uid: 0,
    config: configPath,
    version,
  });
}

describe('a stranger at the address', () => {
  it('gets nothing but a challenge and a refusal', async () => {
    const house = openHousehold();
    const client = house.attach();
    await greet(client);
    const said = await new Promise<string>((resolve) => {
      let text = '';
      const socket = connect(placeOf(house).address);
      socket.on('data', (chunk) => {
        text += chunk.toString('utf8');
        if (text.split('\n').length === 2)
          socket.write(
            `${JSON.stringify({ nonce: 'x', proof: 'y', want: 'attach' })}\n{"jsonrpc":"2.0","id":1,"method":"ping"}\n`,
          );
      });
      socket.on('error', () => {}).on('close', () => resolve(text));
    });
    const lines = said
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toEqual([{ nonce: expect.any(String) }, { refused: 'the secret is wrong' }]);
    expect(await house.status()).toMatchObject({ clients: 1 });
  });
});

describe('what serve would refuse, attach refuses with the same words and the same exit code', () => {
  it.each([
    ['a file with mistakes', '{"mcpServers": {"one": {"command": 3}}}', []],
    ['a variable that is not set', { mcpServers: { one: fixtureWith('${NOT_SET_IN_TEST}') } }, []],
    ['a wrong separator', undefined, ['--separator', ' ']],
    ['a wrong mode', undefined, ['--mode', 'sideways']],
    ['a file that is not there', undefined, ['--config', 'nowhere.json']],
  ] as const)('%s', async (_what, config, args) => {
    const house = openHousehold(config === undefined ? {} : { config });
    const [attached, served] = [house.attach(args), house.serve(args)];
    const [one, other] = [await attached.close(), await served.close()];
    expect(other.code).toBe(2);
    expect(one).toEqual(other);
    expect(attached.lines).toEqual([]);
  });

  it('a separator that the file does not allow, also when the daemon runs', async () => {
    const house = openHousehold();
    const first = house.attach();
    await greet(first);
    const args = ['--separator', ' '];
    const one = await house.attach(args).close();
    const other = await house.serve(args).close();
    expect(one.code).toBe(other.code);
    expect(one.stderr).toContain(other.stderr);
  });

  it('a flag that is not one of attach', async () => {
    const house = openHousehold();
    const { code, stderr } = await house.attach(['--http']).exited;
    expect(code).toBe(errorTable.WB1901.exit);
    expect(stderr).toContain('attach does not have a flag --http.');
  });
});
