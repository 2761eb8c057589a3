import { describe, expect, it } from 'vitest';
import { parseConfigValue } from '../../../src/config/read/parse.ts';
import { createSignIns } from '../../../src/downstream/oauth/sign-ins.ts';
import { createWorkbench } from '../../../src/index.ts';
import { atEnd } from '../../support/at-end.ts';
import { tempDir } from '../../support/processes.ts';
import { openPlace, type PlaceOptions } from './support.ts';
import { walkHome } from './walk.ts';

/** A workbench with one protected server, and a person who may sign in beside it. */
async function openBench(options: PlaceOptions = {}) {
  const { server, issuer } = await openPlace(options);
  const stateDir = tempDir();
  const entry = { url: server.url, oauth: { issuer: issuer.issuer } };
  const config = parseConfigValue({ mcpServers: { guarded: entry } }, { dir: stateDir, env: {} });
  const workbench = createWorkbench({ config, stateDir });
  atEnd(() => workbench.close());
  const signIns = createSignIns({ stateDir });
  const definition = config.servers.get('guarded')!;
  return {
    server,
    issuer,
    workbench,
    definition,
    signIns,
    signIn: () => signIns.login(definition, { show: (url) => void walkHome(url) }),
    call: (name: string) => workbench.call({ toolbox: 'default', server: 'guarded', name }, {}),
    refreshes: () => issuer.asked.filter((line) => line === 'POST /token refresh_token').length,
  };
}

const done = (name: string) => ({ content: [{ type: 'text', text: `done: ${name}` }] });
const signInNeeded = { code: 'WB1201', fix: 'Run: mcp-workbench auth login guarded' };
const currentToken = ({ server }: Pick<Awaited<ReturnType<typeof openBench>>, 'server'>) =>
  server.tokens.at(-1)?.slice('Bearer '.length) ?? '';

describe('a call to a server that wants a token', () => {
  it('fails with the command to run, and works after it was run, without a restart', async () => {
    const { call, signIn, workbench } = await openBench();
    await expect(call('read')).rejects.toMatchObject(signInNeeded);
    expect(workbench.servers()[0]).toMatchObject({ state: 'needs-sign-in', failure: { code: 'WB1201' } });
    await signIn();
    expect(await call('read')).toEqual(done('read'));
    expect(workbench.servers()[0]).toMatchObject({ state: 'ready' });
  });

  it('does not notice that its token was taken back while a new one can be had', async () => {
    const bench = await openBench();
    await bench.signIn();
    await bench.call('read');
    await bench.issuer.revoke(currentToken(bench));
    expect(await bench.call('read')).toEqual(done('read'));
    expect(bench.refreshes()).toBe(1);
    expect(bench.server.ran).toEqual(['read', 'read']);
  });

  it('is renewed once for fifty calls at a time whose token was taken back', async () => {
    const bench = await openBench();
    await bench.signIn();
    await bench.call('read');
    await bench.issuer.revoke(currentToken(bench));
    const results = await Promise.all(Array.from({ length: 50 }, () => bench.call('read')));
    expect(results).toEqual(results.map(() => done('read')));
    expect(bench.refreshes()).toBe(1);
  });

  it('survives a token that expires between two calls', async () => {
    const bench = await openBench({ accessTokenSec: 1 });
    await bench.signIn();
    bench.issuer.accessTokenSec = 600;
    expect(await bench.call('read')).toEqual(done('read'));
    expect(bench.refreshes()).toBe(1);
  });

  it('says what to run when more rights are needed, and has them afterwards', async () => {
    const bench = await openBench();
    await bench.signIn();
    expect(await bench.call('read')).toEqual(done('read'));
    await expect(bench.call('write')).rejects.toMatchObject({
      code: 'WB1203',
      message: expect.stringContaining('tools:write'),
      fix: 'Run: mcp-workbench auth login guarded',
    });
    await bench.signIn();
    expect(await bench.call('write')).toEqual(done('write'));
    expect(await bench.call('read')).toEqual(done('read'));
  });

  it('is not tried without end when the server takes no token of this issuer', async () => {
    const bench = await openBench({ resource: { tokens: { look: async () => undefined } } });
    await bench.signIn();
    const before = bench.server.tokens.length;
    await expect(bench.call('read')).rejects.toMatchObject(signInNeeded);
    expect(bench.server.tokens.length - before).toBeLessThanOrEqual(4);
    expect(bench.refreshes()).toBeLessThanOrEqual(2);
  });

  it('needs a new sign-in when the tokens are for another audience', async () => {
    const bench = await openBench({
      resource: { tokens: { look: async () => ({ scope: 'tools:read', audience: 'https://other.example' }) } },
    });
    await bench.signIn();
    await expect(bench.call('read')).rejects.toMatchObject(signInNeeded);
  });
});

describe('signing out', () => {
  it('takes the tokens back at the authorization server and forgets them', async () => {
    const bench = await openBench();
    await bench.signIn();
    await bench.call('read');
    const token = currentToken(bench);
    expect(await bench.signIns.status(bench.definition)).toMatchObject({
      server: 'guarded',
      state: 'signed-in',
      issuer: bench.issuer.issuer,
      scopes: ['tools:read'],
      renewable: true,
    });
    expect(await bench.signIns.logout(bench.definition)).toEqual({ wasSignedIn: true, revoked: true });
    expect(await bench.issuer.look(token)).toBeUndefined();
    expect(await bench.signIns.status(bench.definition)).toEqual({ server: 'guarded', state: 'signed-out' });
    await expect(bench.call('read')).rejects.toMatchObject(signInNeeded);
  });

  it('forgets the tokens also when the authorization server cannot be told', async () => {
    const bench = await openBench({ tamper: ({ revocation_endpoint: _, ...rest }) => rest });
    await bench.signIn();
    expect(await bench.signIns.logout(bench.definition)).toMatchObject({ wasSignedIn: true, revoked: false });
    expect(await bench.signIns.status(bench.definition)).toMatchObject({ state: 'signed-out' });
    expect(await bench.signIns.logout(bench.definition)).toEqual({ wasSignedIn: false, revoked: false });
  });
});
