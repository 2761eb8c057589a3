import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startRaw } from '../../support/raw-client.ts';
import { openDesk } from './program.ts';
import { openPlace } from './support.ts';
import { walk, walkHome } from './walk.ts';

const loginByHand = ['auth', 'login', 'guarded', '--no-browser'];

describe('the program', () => {
  it('signs in, is signed in for every later run, and signs out', async () => {
    const place = await openPlace();
    const desk = openDesk(place);
    const before = await desk.run(['call', 'guarded.read']);
    expect(before.code).toBe(3);
    expect(before.stderr).toMatch(/Run: .*mcp-workbench.* auth login .*guarded/);
    const login = await desk.run(loginByHand, (url) => void walkHome(url));
    expect(login).toMatchObject({ code: 0, stdout: expect.stringContaining('signed in to guarded') });
    expect(await desk.run(['call', 'guarded.read'])).toMatchObject({ code: 0, stdout: 'done: read\n' });
    expect((await desk.run(['auth', 'status'])).stdout).toContain('signed in');
    expect((await desk.run(['auth', 'logout', 'guarded'])).code).toBe(0);
    expect((await desk.run(['call', 'guarded.read'])).code).toBe(3);
    expect((await desk.run(['list', '--exit-code'])).code).toBe(3);
  });

  it('renews a token once when two runs of it find it expired at the same time', async () => {
    const place = await openPlace({ accessTokenSec: 1 });
    const desk = openDesk(place);
    await desk.run(loginByHand, (url) => void walkHome(url));
    place.issuer.accessTokenSec = 600;
    const runs = await Promise.all([1, 2, 3].map(() => desk.run(['call', 'guarded.read'])));
    expect(runs.map(({ stdout }) => stdout)).toEqual(runs.map(() => 'done: read\n'));
    expect(place.issuer.asked.filter((line) => line === 'POST /token refresh_token')).toHaveLength(1);
  });

  it('tells a client what to run, opens no browser for it, and serves it after that without a restart', async () => {
    const desk = openDesk(await openPlace());
    const client = startRaw(desk.command, desk.args, { env: desk.env, cwd: desk.dir });
    await client.legacyHandshake();
    const call = () => client.request('tools/call', { name: 'guarded:read', arguments: {} });
    expect(JSON.stringify(await call())).toMatch(/Run: .*mcp-workbench.* auth login .*guarded/);
    expect(existsSync(desk.opened)).toBe(false);
    await desk.run(loginByHand, (url) => void walkHome(url));
    expect((await call()).message).toMatchObject({ result: { content: [{ type: 'text', text: 'done: read' }] } });
    await client.close();
  });

  it('prints no token, code or verifier anywhere, not even in its most talkative log', async () => {
    const place = await openPlace({ accessTokenSec: 1 });
    const desk = openDesk(place);
    const codes: string[] = [];
    const log = join(desk.dir, 'log');
    const talk = ['--debug', '--log-file', log];
    const through = async (url: URL) => {
      const back = await walk(url);
      codes.push(back.searchParams.get('code') ?? '');
      await fetch(back);
    };
    const runs = [await desk.run([...loginByHand, '--debug'], (url) => void through(url))];
    runs.push(await desk.run(['call', 'guarded.read', ...talk]));
    runs.push(await desk.run(['call', 'guarded.write', ...talk]));
    place.issuer.outage = 500;
    runs.push(await desk.run(['call', 'guarded.read', ...talk]));
    runs.push(await desk.run(['auth', 'status', '--json']));
    const said = JSON.stringify(runs) + readFileSync(log, 'utf8');
    const kept = readdirSync(join(desk.dir, 'state', 'oauth'))
      .map((name) => readFileSync(join(desk.dir, 'state', 'oauth', name), 'utf8'))
      .join();
    const secrets = [
      ...codes,
      ...[...kept.matchAll(/"(?:access|refresh)Token":"([^"]+)"/g)].map(([, token]) => token),
      ...place.server.tokens.flatMap((header) => header?.replace('Bearer ', '') ?? []),
      ...place.issuer.posted.map(({ body }) => new URLSearchParams(body).get('code_verifier')),
    ].filter((secret) => secret !== null && secret !== undefined);
    expect(secrets.length).toBeGreaterThan(5);
    for (const secret of secrets) expect(said).not.toContain(secret);
  });
});
