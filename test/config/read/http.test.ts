import { describe, expect, it } from 'vitest';
import { failure, parse } from '../support.ts';

const file = (http: unknown) => ({ mcpServers: { one: { command: 'x' } }, http });

describe('"http" of the configuration', () => {
  it('has safe defaults, and states no port', () => {
    const defaults = {
      host: '127.0.0.1',
      allowedHosts: [],
      allowedOrigins: [],
      sse: false,
      maxBodyBytes: 8 * 1024 * 1024,
    };
    expect(parse(file(undefined)).http).toEqual(defaults);
    expect(parse(file({})).http).toEqual(defaults);
  });

  it('says how to listen', () => {
    const http = {
      port: 8080,
      host: '0.0.0.0',
      allowedHosts: ['bench.example', 'a:1'],
      allowedOrigins: ['https://app.example', 'vscode-webview://x'],
      sse: true,
      maxBodyBytes: 1024,
    };
    expect(parse(file(http)).http).toEqual(http);
    expect(parse(file({ host: '${HOST}' }), { env: { HOST: '::1' } }).http.host).toBe('::1');
  });

  it.each([
    [[], 'http must be an object'],
    [{ port: 70_000 }, 'http.port'],
    [{ port: '80' }, 'http.port'],
    [{ maxBodyBytes: 1 }, 'http.maxBodyBytes'],
    [{ sse: 'yes' }, 'http.sse'],
    [{ allowedHosts: 'a' }, 'http.allowedHosts'],
    [{ allowedOrigins: ['https://app.example/'] }, 'http.allowedOrigins'],
    [{ allowedOrigins: ['app.example'] }, 'http.allowedOrigins'],
    [{ allowedHost: ['a'] }, 'did you mean "allowedHosts"'],
  ])('refuses %j', (http, message) => {
    expect(failure(file(http)).message).toContain(message);
  });
});
