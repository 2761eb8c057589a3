import { describe, expect, it } from 'vitest';
import {
  type LoginOptions,
  type ServerDefinition,
  type SignInStatus,
  type SignIns,
  WorkbenchError,
} from '../../../src/index.ts';
import { type FakeOptions, failedStatus, fakeConfig, runFake } from '../fake-io.ts';

const signedIn: SignInStatus = {
  server: 'github',
  state: 'signed-in',
  issuer: 'https://github.com/login/oauth',
  scopes: ['repo'],
  renewable: true,
};
const request = { scopes: ['repo', 'gist\u001b[2J'], sentTo: 'https://api.github.com/mcp' };
const address = new URL('https://github.com/login?state=x');

interface Fake {
  readonly login?: (definition: ServerDefinition, options: LoginOptions) => Promise<SignInStatus>;
  readonly statuses?: readonly SignInStatus[];
  readonly logout?: Awaited<ReturnType<SignIns['logout']>>;
  readonly opened?: URL[];
}

function run(argv: readonly string[], fake: Fake = {}, options: FakeOptions = {}) {
  const signIns: SignIns = {
    async login(definition, options) {
      if (fake.login !== undefined) return fake.login(definition, options);
      options.show(address, 'https://github.com/login/oauth', request);
      return signedIn;
    },
    logout: async () => fake.logout ?? { wasSignedIn: true, revoked: true },
    status: async ({ name }) =>
      fake.statuses?.find(({ server }) => server === name) ?? { server: name, state: 'signed-out' },
  };
  return runFake(['auth', ...argv], {
    config: fakeConfig(),
    stateDir: '/state',
    library: {
      openSignIns: async () => signIns,
      openBrowser: async (url) => {
        fake.opened?.push(url);
        return true;
      },
    },
    ...options,
  });
}

const terminal = { tty: { stdin: true, stderr: true } };

describe('mcp-workbench auth login', () => {
  it('opens the browser in a terminal, and shows the address in any case', async () => {
    const opened: URL[] = [];
    const { code, stdout, stderr } = await run(['login', 'github'], { opened }, terminal);
    expect(code).toBe(0);
    expect(opened).toEqual([address]);
    expect(stderr).toContain(address.href);
    expect(stdout).toBe('✓ signed in to github, at github.com, scopes repo, renewed automatically\n');
  });

  it('shows what is asked for and where the token goes, safe for a terminal', async () => {
    const { stderr } = await run(['login', 'github'], {}, terminal);
    expect(stderr).toContain('at github.com');
    expect(stderr).toContain('Requested rights: repo, gist\\u{1b}[2J');
    expect(stderr).toContain('The token is sent to: https://api.github.com/mcp, and to no other address');
  });

  it('opens none where there is no terminal, and says what to do', async () => {
    const opened: URL[] = [];
    const { code, stderr } = await run(['login', 'github'], { opened });
    expect(code).toBe(2);
    expect(stderr).toContain('--no-browser');
    expect(opened).toEqual([]);
  });

  it('says of a server without a sign-in that it has none, terminal or not', async () => {
    const statuses: SignInStatus[] = [{ server: 'files', state: 'none' }];
    const login = () => Promise.reject(new WorkbenchError('WB1901', "Server 'files' is a local process."));
    const { code, stderr } = await run(['login', 'files'], { statuses, login });
    expect(code).toBe(2);
    expect(stderr).toContain("Server 'files' is a local process.");
    expect(stderr).not.toContain('terminal');
  });

  it('opens none with --no-browser and passes on what is pasted', async () => {
    const opened: URL[] = [];
    const lines: string[] = [];
    const login: Fake['login'] = async (_, { show, pasted }) => {
      show(address, 'https://github.com/login/oauth', request);
      for await (const line of pasted ?? []) lines.push(line);
      return signedIn;
    };
    const { code, stderr, stdout } = await run(
      ['login', 'github', '--no-browser', '--json'],
      { opened, login },
      { stdin: 'first\nhttp://127.0.0.1:1/callback?code=x' },
    );
    expect(code).toBe(0);
    expect(opened).toEqual([]);
    expect(lines).toEqual(['first', 'http://127.0.0.1:1/callback?code=x']);
    expect(stderr).toContain(address.href);
    expect(JSON.parse(stdout)).toEqual({ schemaVersion: 1, server: signedIn });
  });

  it.each([
    [['login'], 'needs the name of a server'],
    [['login', 'gitbub'], 'github'],
    [['singin', 'github'], 'Unknown action "singin" for auth'],
    [[], 'auth: an argument is missing'],
  ])('says what is wrong with %j', async (argv, expected) => {
    const { code, stderr } = await run(argv, {}, terminal);
    expect(code).toBeGreaterThan(0);
    expect(stderr).toContain(expected);
  });
});

describe('mcp-workbench auth status and logout', () => {
  it('shows every server that can be signed in to', async () => {
    const statuses: SignInStatus[] = [signedIn, { server: 'files', state: 'none' }];
    const { stdout } = await run(['status'], { statuses });
    expect(stdout).toContain('github');
    expect(stdout).toContain('signed in');
    expect(stdout).not.toContain('files');
    expect(JSON.parse((await run(['status', '--json'], { statuses })).stdout)).toEqual({
      schemaVersion: 1,
      servers: statuses,
    });
  });

  it('says how to sign in where nobody is', async () => {
    const { stdout, stderr } = await run(['status', 'github']);
    expect(stdout).toContain('not signed in');
    expect(stderr).toContain('mcp-workbench auth login github');
  });

  it('says what became of the tokens', async () => {
    expect((await run(['logout', 'github'])).stdout).toBe('✓ signed out of github\n');
    const note = 'the authorization server does not take tokens back';
    const kept = await run(['logout', 'github'], { logout: { wasSignedIn: true, revoked: false, note } });
    expect(kept.stderr).toContain(note);
    const never = await run(['logout', 'github'], { logout: { wasSignedIn: false, revoked: false } });
    expect(never.stdout).toBe('github was not signed in\n');
  });
});

describe('a server that waits for a sign-in', () => {
  const fix = 'Run: mcp-workbench auth login github';
  const statuses = [failedStatus('github', { code: 'WB1201', message: 'wants a sign-in', fix, stderr: [] })];

  it.each(['list', 'check'])('is marked as such by %s, with the command to run', async (command) => {
    const { stdout } = await runFake([command], { statuses });
    expect(stdout).toMatch(/^ *! /m);
    expect(stdout).not.toContain('✗');
    expect(stdout).toContain(fix);
  });
});
