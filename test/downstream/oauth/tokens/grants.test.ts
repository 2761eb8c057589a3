import { describe, expect, it } from 'vitest';
import type { ServerDefinition } from '../../../../src/config/model/config.ts';
import { findContext } from '../../../../src/downstream/oauth/sign-in-context.ts';
import { createSignIns } from '../../../../src/downstream/oauth/sign-ins.ts';
import { type Grant, grantKey } from '../../../../src/downstream/oauth/tokens/grant.ts';
import { createGrants } from '../../../../src/downstream/oauth/tokens/grants.ts';
import { createMemoryStore } from '../../../../src/downstream/oauth/tokens/token-store.ts';
import { tempDir } from '../../../support/processes.ts';
import { toDefinition } from '../support.ts';

const grant: Grant = {
  issuer: 'https://as.example',
  resource: 'https://server.example/mcp',
  client: { clientId: 'me', method: 'none' },
  tokens: { accessToken: 'token', refreshToken: 'again', expiresAt: 5, scope: 'a' },
  askedScope: 'a b',
  wantedScope: 'c',
};

describe('a grant', () => {
  it('comes back from the store as it was, for the server it was given for', async () => {
    const grants = createGrants(createMemoryStore());
    await grants.saveFor('https://server.example/mcp', grant);
    expect(await grants.findFor('https://server.example/mcp')).toEqual(grant);
    expect(await grants.findFor('https://server.example/other')).toBeUndefined();
    expect(await grants.find({ ...grant, issuer: 'https://other.example' })).toBeUndefined();
    expect(await grants.find({ ...grant, resource: 'https://other.example/mcp' })).toBeUndefined();
    await grants.removeFor('https://server.example/mcp');
    expect(await grants.find(grant)).toBeUndefined();
  });

  it('of one issuer leaves that of another alone, also for one server', async () => {
    const grants = createGrants(createMemoryStore());
    const other = { ...grant, issuer: 'https://other.example' };
    await grants.saveFor('https://server.example/mcp', grant);
    await grants.saveFor('https://server.example/mcp', other);
    expect(await grants.findFor('https://server.example/mcp')).toEqual(other);
    expect(await grants.find(grant)).toEqual(grant);
  });

  it('is not believed under the name of another issuer', async () => {
    const store = createMemoryStore();
    const other = { issuer: 'https://other.example', resource: grant.resource };
    await store.save(grantKey(other), { ...grant, client: { ...grant.client }, tokens: { ...grant.tokens } });
    expect(await createGrants(store).find(other)).toBeUndefined();
  });

  it.each([
    {},
    { issuer: 'https://as.example', resource: 'https://server.example/mcp' },
    { issuer: 'https://as.example', resource: 'https://server.example/mcp', client: { clientId: 1, method: 'none' } },
  ])('that lacks something counts as none: %j', async (entry) => {
    const store = createMemoryStore();
    await store.save(grantKey(grant), entry);
    expect(await createGrants(store).find(grant)).toBeUndefined();
  });
});

describe('a server', () => {
  const store = createMemoryStore();
  const withTransport = (transport: ServerDefinition['transport']) => ({
    ...toDefinition('https://x.example'),
    transport,
  });
  const http = { kind: 'http', variant: 'auto', url: 'https://x.example/mcp' } as const;
  const local = withTransport({ kind: 'stdio', command: 'x', args: [], env: {}, cwd: '/' });
  const token = withTransport({ ...http, headers: { authorization: 'Bearer x' } });

  it('is not signed in to when it is a local process, or its token stands in the configuration', async () => {
    const signIns = createSignIns({ stateDir: tempDir() });
    for (const definition of [local, token]) {
      expect(findContext({ definition, store })).toBeUndefined();
      expect(await signIns.status(definition)).toEqual({ server: 'guarded', state: 'none' });
      await expect(signIns.logout(definition)).rejects.toMatchObject({ code: 'WB1901' });
    }
  });

  it('is signed in to when it says so beside its headers', () => {
    const both = { ...http, headers: { authorization: 'x' }, oauth: { grant: 'authorization_code' } } as const;
    expect(findContext({ definition: withTransport(both), store })).toBeDefined();
  });
});
