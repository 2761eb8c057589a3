import { mkdirSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Library } from '../../../src/cli/run/io.ts';
import type { Authenticator } from '../../../src/index.ts';
import { openAuthenticator, WorkbenchError } from '../../../src/index.ts';
import { type FakeOptions, fakeConfig, startFake } from '../fake-io.ts';

const tempDir = () => mkdtempSync(join(tmpdir(), 'cli-'));

/** Runs until it serves, then tells it to stop. */
async function serveOnce(argv: readonly string[], options: FakeOptions & { readonly port?: number } = {}) {
  let authenticator: Authenticator | undefined;
  const serveHttp: Library['serveHttp'] = async (given) => {
    const port = given.port ?? options.port ?? 3917;
    authenticator = typeof given.authenticator === 'function' ? given.authenticator(port) : given.authenticator;
    setTimeout(() => run.stop('SIGTERM'));
    return { port, url: `http://127.0.0.1:${port}/mcp`, close: async () => {} };
  };
  const run = startFake(argv, { ...options, library: { serveHttp, ...options.library } });
  return { ...(await run.done), authenticator };
}

const admits = async (authenticator: Authenticator | undefined, token: string) =>
  'principal' in
  (await authenticator!.authenticate({ headers: { authorization: `Bearer ${token}` }, path: '/mcp', origin: '' }));

/** The token in the entry that is shown. */
const shownToken = (stderr: string) => /"Authorization": "Bearer ([^"]+)"/.exec(stderr)?.[1] ?? '';

describe('serve --http', () => {
  it.each([
    [['--http'], {}],
    [['serve', '--http=8080'], { port: 8080 }],
    [['serve', '--http', '8080', '--host', '::1'], { host: '::1', port: 8080 }],
    [['serve', '--http', '--sse'], { sse: true }],
    [['--http', '--name', 'n', '--version=9'], { name: 'n', version: '9' }],
    [
      ['--http', '--allow-host', 'a', '--allow-host=b', '--allow-origin', 'https://c'],
      { allowedHosts: ['a', 'b'], allowedOrigins: ['https://c'] },
    ],
  ])('passes %j on', async (argv, expected) => {
    const run = startFake(argv);
    setTimeout(() => run.stop('SIGTERM'), 20);
    const { code, asked, stdout } = await run.done;
    expect([code, stdout]).toEqual([0, '']);
    const given = JSON.parse(asked[1]?.slice('serveHttp '.length) ?? '') as object;
    expect(given).toEqual({ allowedHosts: [], allowedOrigins: [], ...expected });
    expect(asked.slice(2)).toEqual(['stop http', 'close']);
  });

  it('serves stdin and stdout too when told to, and ends with that client', async () => {
    const run = startFake(['--http', '--stdio']);
    const { code, asked } = await run.done;
    expect(code).toBe(0);
    expect(asked.map((each) => each.split(' ')[0])).toEqual([
      'loadConfig',
      'serveHttp',
      'serve',
      'stop',
      'stop',
      'close',
    ]);
  });

  it('serves in a terminal without the command too', async () => {
    const { code, stderr } = await serveOnce(['--http'], { tty: { stdin: true, stderr: true } });
    expect(code).toBe(0);
    expect(stderr).toMatch(/mcp-workbench 0\.1\.0 {3}ready in \d+ ms {3}2 servers, 1 toolbox\n/);
    expect(stderr).toContain('➜  MCP        http://127.0.0.1:3917/mcp          all toolboxes\n');
    expect(stderr).toContain('➜  Toolbox    http://127.0.0.1:3917/mcp/code\n');
  });

  it.each([
    ['a token that cannot be used', ['--token', 'short'], {}],
    ['a port that cannot be had', [], { serveHttp: () => Promise.reject(new WorkbenchError('WB1301', 'in use')) }],
  ])('does not say that it serves before %s is refused', async (_, flags, library) => {
    const { code, stderr } = await startFake(['serve', '--http', ...flags], { library }).done;
    expect(code).toBeGreaterThan(0);
    expect(stderr).toContain('✗');
    expect(stderr).not.toContain('serving');
  });

  it('says nothing with --quiet', async () => {
    expect((await serveOnce(['--http', '-q'])).stderr).toBe('');
  });

  it('makes a token once, keeps it for its owner only, and shows it in an entry to paste', async () => {
    const stateDir = join(tempDir(), 'state');
    const first = await serveOnce(['--http'], { stateDir });
    const token = shownToken(first.stderr);
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    expect(first.stderr).toContain('"url": "http://127.0.0.1:3917/mcp"');
    expect([await admits(first.authenticator, token), await admits(first.authenticator, `${token}x`)]).toEqual([
      true,
      false,
    ]);
    const path = join(stateDir, 'token');
    expect(readFileSync(path, 'utf8').trim()).toBe(token);
    if (process.platform !== 'win32') {
      expect(statSync(path).mode & 0o777).toBe(0o600);
      expect(statSync(stateDir).mode & 0o777).toBe(0o700);
    }
    expect(shownToken((await serveOnce(['--http'], { stateDir })).stderr)).toBe(token);
  });

  it('has a token of its own for each port, so that what clients send to another program there opens nothing', async () => {
    const stateDir = join(tempDir(), 'state');
    const usual = await serveOnce(['--http'], { stateDir });
    const moved = await serveOnce(['--http'], { stateDir, port: 3918 });
    const [known, other] = [shownToken(usual.stderr), shownToken(moved.stderr)];
    expect(other).not.toBe(known);
    expect([await admits(moved.authenticator, known), await admits(moved.authenticator, other)]).toEqual([false, true]);
    expect(moved.stderr).toContain(
      'note port 3917 is in use by another program, which receives what clients send there',
    );
    expect(shownToken((await serveOnce(['--http=3918'], { stateDir })).stderr)).toBe(other);
    const random = [await serveOnce(['--http=0'], { stateDir }), await serveOnce(['--http=0'], { stateDir })];
    expect(new Set(random.map(({ stderr }) => shownToken(stderr))).size).toBe(2);
  });

  it('makes another token each time where nothing can be kept', async () => {
    const file = join(tempDir(), 'file');
    writeFileSync(file, '');
    const tokens = new Set<string>();
    for (const options of [{}, {}, { stateDir: join(file, 'state') }])
      tokens.add(shownToken((await serveOnce(['--http'], options)).stderr));
    expect(tokens.size).toBe(3);
    expect(tokens.has('')).toBe(false);
  });

  it('takes a token of the user, the flag before the file before the variable, and does not show it', async () => {
    const cwd = tempDir();
    writeFileSync(join(cwd, 't'), 'a-token-from-the-file\n');
    const env = { WORKBENCH_TOKEN: 'a-token-from-the-variable' };
    for (const [flags, token] of [
      [['--token', 'a-token-from-the-flag', '--token-file', 't'], 'a-token-from-the-flag'],
      [['--token-file', 't'], 'a-token-from-the-file'],
      [[], 'a-token-from-the-variable'],
    ] as const) {
      const { authenticator, stderr } = await serveOnce(['--http', ...flags], { cwd, env });
      expect(await admits(authenticator, token)).toBe(true);
      expect(stderr).not.toContain(token);
      expect(shownToken(stderr)).toBe('<your token>');
    }
  });

  it.each([
    [['--http', '--token', 'short'], '--token'],
    [['--http', '--token', 'only-15-letters'], 'at least 16'],
    [['--http', '--token', 'abababababababababab'], 'openssl rand'],
    [['--http', '--token', 'with a space in it'], '--token'],
    [['--http', '--token-file', 'missing'], 'cannot be read (ENOENT)'],
    [['--http', '--token', 'a-token-from-the-flag', '--no-auth'], 'contradict'],
    [['--http=eighty'], '--http: "eighty" is not a port'],
    [['--http=70000'], '--http: "70000" is not a port'],
    [['--host', '0.0.0.0'], '--host works only with --http'],
    [['--no-auth'], '--no-auth works only with --http'],
  ])('refuses %j with exit code 2', async (argv, message) => {
    const { code, stderr } = await startFake(argv, { cwd: tempDir() }).done;
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('with a space in it');
  });

  it('lets everybody in with --no-auth, and then shows no token', async () => {
    const { authenticator, stderr } = await serveOnce(['--http', '--no-auth']);
    expect(authenticator).toBe(openAuthenticator);
    expect(stderr).not.toContain('Authorization');
  });

  it('says so when it had to take another port, but not when the user chose it', async () => {
    const serveHttp: Library['serveHttp'] = async ({ port = 3919 }) => {
      setTimeout(() => current?.stop('SIGTERM'));
      return { port, url: `http://127.0.0.1:${port}/mcp`, close: async () => {} };
    };
    let current: ReturnType<typeof startFake> | undefined;
    const notes = [];
    for (const argv of [['--http'], ['--http=5000']]) {
      current = startFake(argv, { library: { serveHttp } });
      notes.push((await current.done).stderr.includes('port 3917 is in use'));
    }
    expect(notes).toEqual([true, false]);
  });

  it('exits with 7 when the port is taken, with everything closed', async () => {
    const serveHttp = () => Promise.reject(new WorkbenchError('WB1301', 'Port 80 is in use.'));
    const { code, asked } = await startFake(['--http=80'], { library: { serveHttp } }).done;
    expect([code, asked.at(-1)]).toEqual([7, 'close']);
  });

  it('names every toolbox in the banner, up to a number', async () => {
    const toolboxes = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`box${at}`, { s: 's' }]));
    const { stderr } = await serveOnce(['--http'], { config: fakeConfig(toolboxes), tty: { stderr: true } });
    expect(stderr.match(/Toolbox {4}/g)).toHaveLength(12);
    expect(stderr).toContain('8 more toolboxes');
  });

  it('does not use a token file of the state folder that is not one', async () => {
    const stateDir = tempDir();
    mkdirSync(stateDir, { recursive: true });
    writeFileSync(join(stateDir, 'token'), 'a\nb');
    const { code, stderr } = await startFake(['--http'], { stateDir }).done;
    expect(code).toBe(2);
    expect(stderr).toContain(join(stateDir, 'token'));
  });
});
