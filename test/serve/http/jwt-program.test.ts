import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client, ClientCredentialsProvider, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import Provider from 'oidc-provider';
import { beforeAll, describe, expect, it } from 'vitest';
import type { HttpService } from '../../../src/index.ts';
import { atEnd } from '../../support/at-end.ts';
import { eventually } from '../../support/eventually.ts';
import { prepareProgram } from '../../support/program.ts';
import { fixture } from '../../support/servers.ts';
import { createKey, type FakeIssuer, type SigningKey, sign, startIssuer } from './fake-issuer.ts';
import { initialize, modern, rpc, send, sendRaw } from './support.ts';

interface Program extends Pick<HttpService, 'port' | 'url'> {
  readonly stderr: string;
}

/** The built program, serving two toolboxes to whoever has a token of the issuer. */
async function serve(auth: object, args: readonly string[] = []): Promise<Program & { readonly exit: number | null }> {
  const toolboxes = Object.fromEntries(
    ['writing', 'code'].map((name) => [
      name,
      { description: name, mcpServers: { [`${name}-server`]: fixture('raw-modern') } },
    ]),
  );
  const start = prepareProgram({ config: { toolboxes, auth }, args: ['serve', '--http=0', '--debug', ...args] });
  const child = spawn(start.command, start.args, {
    env: { ...process.env, ...start.env },
    cwd: start.dir,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise((done) => child.once('exit', done));
  atEnd(async () => {
    child.kill();
    await ended;
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const url = await eventually(() => {
    const found = /http:\/\/127\.0\.0\.1:\d+\/mcp/.exec(stderr)?.[0];
    if (found === undefined && child.exitCode === null) throw new Error(`not listening yet: ${stderr}`);
    return found ?? '';
  }, 10_000);
  return {
    url,
    port: url === '' ? 0 : Number(new URL(url).port),
    get stderr() {
      return stderr;
    },
    get exit() {
      return child.exitCode;
    },
  };
}

const toService = (program: Program): HttpService => ({ ...program, close: async () => {} });

describe('the program with "auth"', () => {
  let issuer: FakeIssuer;
  let key: SigningKey;
  let program: Program;
  let service: HttpService;

  beforeAll(async () => {
    [issuer, key] = await Promise.all([startIssuer(), createKey('one')]);
    atEnd(() => issuer.close());
    issuer.keys = [key.jwk];
    program = await serve({ issuer: issuer.issuer });
    service = toService(program);
  });

  async function bearer(claims: object = {}): Promise<{ authorization: string }> {
    const exp = Math.floor(Date.now() / 1_000) + 300;
    const all = { iss: issuer.issuer, sub: 'ann', aud: program.url, exp, scope: 'toolbox:writing', ...claims };
    return { authorization: `Bearer ${await sign(all, key)}` };
  }

  it('shows no token of its own', async () => {
    // The address is printed a moment before the entry to paste.
    await eventually(() => expect(program.stderr).toContain('"url"'));
    expect(program.stderr).not.toContain('Bearer');
  });

  it('describes its endpoints to everybody, and nothing else', async () => {
    const base = program.url.slice(0, -'/mcp'.length);
    const look = async (path: string) => {
      const answer = await send(service, { method: 'GET', path: `/.well-known/oauth-protected-resource${path}` });
      return [answer.status, answer.status === 200 ? answer.json.resource : undefined];
    };
    expect(await look('/mcp')).toEqual([200, program.url]);
    expect(await look('')).toEqual([200, program.url]);
    expect(await look('/mcp/code')).toEqual([200, `${base}/mcp/code`]);
    // Nobody learns here whether there is such a toolbox.
    expect(await look('/mcp/ghost')).toEqual([200, `${base}/mcp/ghost`]);
  });

  it('does not begin where other machines can reach it when it does not know its public address', async () => {
    const other = await serve({ issuer: issuer.issuer }, ['--host', '0.0.0.0']);
    expect(other.exit).toBe(2);
    await eventually(() => expect(other.stderr).toContain('WB1314'));
    expect(other.stderr).toContain('"publicUrl"');
  });

  it('is for the address it listens on, whatever a client calls it', async () => {
    const { port } = new URL(program.url);
    const ask = async (host: string, aud: string) =>
      (await send(service, modern('tools/list', {}, { headers: { ...(await bearer({ aud })), host } }))).status;
    expect(await ask(`127.0.0.1:${port}`, program.url)).toBe(200);
    expect(await ask(`localhost:${port}`, program.url)).toBe(200);
    expect(await ask('127.0.0.1:9999', 'http://127.0.0.1:9999/mcp')).toBe(403);
    expect(await ask(`localhost:${port}`, `http://localhost:${port}/mcp`)).toBe(401);
    expect(await ask('127.0.0.1', 'http://127.0.0.1/mcp')).toBe(401);
    const { headers } = await send(service, { headers: { host: `localhost:${port}` }, body: {} });
    expect(headers['www-authenticate']).toContain(`resource_metadata="http://127.0.0.1:${port}/`);
  });

  it.each(['/mcp', '/mcp/writing', '/mcp/ghost'])('lets nobody in at %s without a token', async (path) => {
    for (const headers of [{ authorization: undefined }, { authorization: 'Bearer abc' }]) {
      const answer = await send(service, { ...modern('tools/list', {}, { headers }), path });
      expect(answer.status).toBe(401);
      expect(answer.headers['www-authenticate']).toContain(`/.well-known/oauth-protected-resource${path}"`);
    }
  });

  it('refuses two tokens at once', async () => {
    const { authorization } = await bearer();
    const lines = [
      'POST /mcp HTTP/1.1',
      `Host: 127.0.0.1:${program.port}`,
      'Content-Length: 2',
      'Connection: close',
      `Authorization: ${authorization}`,
      'Authorization: Bearer abc',
    ];
    expect(await sendRaw(service, `${lines.join('\r\n')}\r\n\r\n{}`)).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('sends nobody to sign in again while the issuer cannot be asked', async () => {
    const lonely = await serve({ issuer: 'http://127.0.0.1:9' });
    const answer = await send(toService(lonely), modern('tools/list', {}, { headers: await bearer() }));
    expect([answer.status, answer.headers['www-authenticate']]).toEqual([503, undefined]);
    expect(answer.headers['retry-after']).toMatch(/^\d+$/);
  });

  it('shows a token only what it may use', async () => {
    const headers = await bearer({ aud: `${program.url}/writing` });
    const answer = await send(service, { ...modern('tools/list', {}, { headers }), path: '/mcp/writing' });
    expect([answer.status, answer.text.includes('writing-server')]).toEqual([200, true]);
    const discovered = await send(service, modern('server/discover', {}, { headers: await bearer() }));
    expect(discovered.status).toBe(200);
    expect(discovered.text).toContain('writing');
    expect(discovered.text).not.toContain('code');
  });

  it('does not let a token reach a toolbox by guessing its name', async () => {
    const open = (toolbox: string, headers: object) =>
      send(
        service,
        modern('tools/call', { name: 'open_toolbox', arguments: { toolbox } }, { headers: { ...headers } }),
      );
    const [known, hidden, ghost] = [
      await open('writing', await bearer()),
      await open('code', await bearer()),
      await open('ghost', await bearer()),
    ];
    expect(known.text).toContain('writing-server');
    expect(hidden.text).toContain("Toolbox 'code' not found");
    expect(hidden.text.replaceAll('code', 'ghost')).toBe(ghost.text);
    const elsewhere = await bearer({ aud: `${program.url}/code` });
    const answer = await send(service, { ...modern('tools/list', {}, { headers: elsewhere }), path: '/mcp/code' });
    expect(answer.status).toBe(403);
    expect(answer.headers['www-authenticate']).toContain('error="insufficient_scope"');
    expect(answer.headers['www-authenticate']).toContain('scope="toolbox:code"');
  });

  it('keeps a session to whoever opened it, and to what they could do then', async () => {
    const session = await initialize(service, { headers: await bearer() });
    const list = async (headers: object) =>
      (await send(service, { headers: { ...session, ...headers }, body: rpc('tools/list') })).status;
    expect(await list(await bearer())).toBe(200);
    expect(await list(await bearer({ sub: 'bob' }))).toBe(404);
    expect(await list(await bearer({ scope: 'toolbox:code' }))).toBe(404);
    expect(await list({ authorization: 'Basic YW5uOg==' })).toBe(401);
    expect(await list(await bearer({ exp: 1 }))).toBe(401);
  });

  it('never writes a token or what is in it to its log', async () => {
    const { authorization } = await bearer({ sub: 'canary-subject', aud: 'https://canary.example' });
    await send(service, modern('tools/list', {}, { headers: { authorization } }));
    await eventually(() => program.stderr.includes('token refused'));
    for (const piece of [...authorization.slice('Bearer '.length).split('.'), 'canary'])
      expect(program.stderr).not.toContain(piece);
  });

  it.each(['--no-auth', '--token=12345678', '--token-file=x'])('does not start with %s beside it', async (flag) => {
    const refused = await serve({ issuer: issuer.issuer }, [flag]);
    expect([refused.exit, refused.stderr]).toEqual([2, expect.stringContaining('contradict each other')]);
  });
});

describe('an official client that only knows the address and its own credentials', () => {
  it('finds the authorization server, gets a token for this endpoint, and uses what it may', async () => {
    const issuer = await startProvider('toolbox:writing');
    const program = await serve({ issuer, algorithms: ['RS256'] });
    const authProvider = new ClientCredentialsProvider({
      clientId: 'robot',
      clientSecret: 'robot-secret',
      expectedIssuer: issuer,
    });
    const client = new Client({ name: 'robot', version: '1' });
    atEnd(() => client.close());
    await client.connect(new StreamableHTTPClientTransport(new URL(program.url), { authProvider }));
    const result = await client.callTool({ name: 'open_toolbox', arguments: { toolbox: 'writing' } });
    expect(JSON.stringify(result)).toContain('writing-server');
    expect(JSON.stringify(await client.callTool({ name: 'open_toolbox', arguments: { toolbox: 'code' } }))).toContain(
      "Toolbox 'code' not found",
    );
  });
});

/** A real authorization server; tokens are for the resource that is asked for, with these scopes of what is asked for. */
async function startProvider(scope: string): Promise<string> {
  const http = createServer();
  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done));
  atEnd(() => {
    http.closeAllConnections();
    http.close();
  });
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'robot',
        client_secret: 'robot-secret',
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
      },
    ],
    scopes: ['toolbox:writing', 'toolbox:code'],
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: () => ({ scope, accessTokenFormat: 'jwt', accessTokenTTL: 300 }),
      },
    },
  });
  http.on('request', provider.callback());
  return issuer;
}
