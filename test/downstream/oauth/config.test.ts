import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import type { Config, HttpTransport } from '../../../src/config/model/config.ts';
import { parseConfigValue } from '../../../src/config/read/parse.ts';

function parse(entry: JsonObject): Config {
  const value = { mcpServers: { x: { url: 'https://x.example/mcp', ...entry } } };
  return parseConfigValue(value, { dir: '/home/me', env: { SECRET: 'from-the-environment' } });
}

const oauthOf = (entry: JsonObject) => (parse(entry).servers.get('x')!.transport as HttpTransport).oauth;

describe('the key "oauth" of a server', () => {
  it('is understood as a whole', () => {
    const oauth = {
      issuer: 'https://as.example',
      clientId: 'me',
      clientSecret: '${SECRET}',
      clientMetadataUrl: 'https://me.example/client.json',
      scopes: ['a', 'b'],
      grant: 'client_credentials',
      privateKeyFile: 'keys/me.pem',
      algorithm: 'ES256',
      redirectPort: 8123,
    };
    const { scopes: _, ...rest } = oauth;
    expect(oauthOf({ oauth })).toEqual({
      ...rest,
      scope: 'a b',
      clientSecret: 'from-the-environment',
      privateKeyFile: expect.stringMatching(/^([A-Z]:)?[\\/]home[\\/]me[\\/]keys[\\/]me\.pem$/),
    });
  });

  it('is not needed, and may be empty', () => {
    expect(oauthOf({})).toBeUndefined();
    expect(oauthOf({ oauth: {} })).toEqual({ grant: 'authorization_code' });
  });

  it.each([
    ['Claude Code', { oauth: { clientId: 'me', callbackPort: 8080 } }, { clientId: 'me', redirectPort: 8080 }],
    [
      'Cursor',
      { auth: { CLIENT_ID: 'me', CLIENT_SECRET: 'word', scopes: ['a'] } },
      { clientId: 'me', clientSecret: 'word', scope: 'a' },
    ],
    ['scopes as one string', { oauth: { scopes: 'a  b' } }, { scope: 'a b' }],
  ])('is understood as others write it: %s', (_, entry, expected) => {
    expect(oauthOf(entry)).toEqual({ grant: 'authorization_code', ...expected });
  });

  it.each([true, false, 'oauth'])('is ignored with a note when it is %j', (oauth) => {
    const config = parse({ oauth });
    expect((config.servers.get('x')!.transport as HttpTransport).oauth).toBeUndefined();
    expect(config.notes.map(({ message }) => message).join()).toContain('"oauth" of server "x" is');
  });

  it.each([
    ['an issuer that is no address', { issuer: 'as.example' }, 'issuer'],
    ['client metadata without https', { clientMetadataUrl: 'http://me.example/client.json' }, 'clientMetadataUrl'],
    ['client metadata without a path', { clientMetadataUrl: 'https://me.example' }, 'clientMetadataUrl'],
    ['client credentials without a client', { grant: 'client_credentials' }, 'clientId'],
    ['a grant that there is not', { grant: 'password' }, 'grant'],
    ['an algorithm that is too weak', { algorithm: 'HS256' }, 'algorithm'],
    ['a port that there is not', { redirectPort: 0 }, 'redirectPort'],
    ['a misspelt key', { clientID: 'me' }, 'clientId'],
  ])('is refused with %s', (_, oauth, named) => {
    expect(() => parse({ oauth })).toThrow(named);
  });

  it('never shows its secret', () => {
    const config = parse({ oauth: { clientId: 'me', clientSecret: 'a-literal-secret' } });
    expect(config.secrets).toContainEqual({ name: 'clientSecret', value: 'a-literal-secret' });
    let said = '';
    try {
      parse({ oauth: { clientSecret: 'a-literal-secret', redirectPort: 'x' } });
    } catch (error) {
      said = String(error);
    }
    expect(said).toContain('redirectPort');
    expect(said).not.toContain('a-literal-secret');
  });

  it('has no effect on a local process, which is noted', () => {
    const value = { mcpServers: { x: { command: 'node', oauth: { clientId: 'me' } } } };
    const { notes } = parseConfigValue(value, { dir: '/home/me', env: {} });
    expect(notes.map(({ message }) => message)).toContain('"oauth" has no effect on a server with a "command"');
  });
});
