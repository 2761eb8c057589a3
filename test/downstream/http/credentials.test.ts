import { describe, expect, it } from 'vitest';
import { createHttpClient } from '../../../src/downstream/http/client.ts';
import type { Credentials } from '../../../src/downstream/http/credentials.ts';
import { createEndpoint } from '../../../src/downstream/http/endpoint.ts';
import { atEnd } from '../../support/at-end.ts';
import { startHttp } from './http-server.ts';

/** A server that wants the token `good`, and an endpoint that shows it what `credentials` gives. */
async function startGuarded(status: 401 | 403, credentials: Credentials | undefined, headers = {}) {
  const server = await startHttp(({ headers: { authorization } }, response) => {
    const challenge = { 'www-authenticate': 'Bearer scope="a"' };
    response.writeHead(authorization === 'Bearer good' ? 200 : status, challenge).end();
  });
  const client = createHttpClient({ server: 'far', env: {} });
  atEnd(() => client.close());
  const transport = { kind: 'http', url: `${server.origin}/mcp`, headers, variant: 'auto' } as const;
  const identity = { name: 'wörk bench', version: '1' };
  const endpoint = createEndpoint({ server: 'far', transport, identity, client, credentials });
  const ask = () => endpoint.ask({ method: 'POST', headers: [], body: '{}', signal: new AbortController().signal });
  return { server, ask };
}

function createFake(tokens: (string | undefined)[], again: boolean): Credentials & { refusals: unknown[] } {
  const refusals: unknown[] = [];
  return {
    refusals,
    header: async () => (tokens.length > 1 ? tokens.shift() : tokens[0]),
    async refused(answer) {
      refusals.push(answer);
      return again;
    },
  };
}

describe('credentials for a server', () => {
  it.each([401, 403] as const)(
    'are told of a refusal (%i), and the request is made once more with new ones',
    async (status) => {
      const credentials = createFake(['Bearer stale', 'Bearer good'], true);
      const { server, ask } = await startGuarded(status, credentials);
      expect((await ask()).status).toBe(200);
      expect(credentials.refusals).toMatchObject([{ status, challenge: 'Bearer scope="a"', sent: 'Bearer stale' }]);
      expect(server.seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer stale', 'Bearer good']);
    },
  );

  it.each([
    [401, 'WB1201'],
    [403, 'WB1203'],
  ] as const)('that are refused again (%i) end in %s after two requests', async (status, code) => {
    const credentials = createFake(['Bearer stale'], true);
    const { server, ask } = await startGuarded(status, credentials);
    await expect(ask()).rejects.toMatchObject({ code });
    expect(server.seen).toHaveLength(2);
    expect(credentials.refusals).toHaveLength(1);
  });

  it('that know nothing better end in WB1201 after one request', async () => {
    const { server, ask } = await startGuarded(401, createFake([undefined], false));
    await expect(ask()).rejects.toMatchObject({ code: 'WB1201' });
    expect(server.seen).toHaveLength(1);
  });

  it('win over a configured header, which is sent while there are none', async () => {
    const configured = { authorization: 'Bearer configured' };
    const { server, ask } = await startGuarded(401, createFake([undefined, 'Bearer good'], true), configured);
    expect((await ask()).status).toBe(200);
    expect(server.seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer configured', 'Bearer good']);
  });
});
