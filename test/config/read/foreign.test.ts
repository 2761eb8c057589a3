import { describe, expect, it } from 'vitest';
import { ignoredKeys, unheldKeys } from '../../../src/config/read/foreign.ts';
import { failure, serverOf } from '../support.ts';

describe('a key of another client', () => {
  it.each([
    ['cwd', { command: 'x', workingDirectory: 'sub' }, { transport: { cwd: '/project/sub' } }],
    ['command', { executable: 'x' }, { transport: { command: 'x' } }],
    ['timeoutMs', { command: 'x', tool_timeout_sec: 90 }, { timeoutMs: 90_000 }],
    ['timeoutMs', { command: 'x', request_timeout_ms: 90 }, { timeoutMs: 90 }],
    ['startTimeoutMs', { command: 'x', startup_timeout_sec: 0.5 }, { startTimeoutMs: 500 }],
    ['startTimeoutMs', { command: 'x', startup_timeout_ms: 700 }, { startTimeoutMs: 700 }],
    ['both times', { command: 'x', timeout: { startup: 5, request: 6 } }, { startTimeoutMs: 5, timeoutMs: 6 }],
    [
      'env',
      { command: 'x', env: { B: 'own' }, env_vars: ['A', { name: 'C', source: 'local' }] },
      { transport: { env: { A: 'a', B: 'own', C: 'c' } } },
    ],
    ['env', { cmd: 'x', envs: {}, env_keys: ['A'] }, { transport: { env: { A: 'a' } } }],
    [
      'headers',
      { url: 'https://x/', http_headers: { H: '1' }, env_http_headers: { I: 'A' }, bearer_token_env_var: 'C' },
      { transport: { headers: { H: '1', I: 'a', Authorization: 'Bearer c' } } },
    ],
  ])('is read as %s: %j', (_, entry, expected) => {
    const { definition, notes } = serverOf(entry, { env: { A: 'a', C: 'c' } });
    expect(definition).toMatchObject(expected);
    expect(notes.length).toBeGreaterThan(0);
    expect(notes.every((note) => note.startsWith('WB1402 '))).toBe(true);
  });

  it.each([
    [{ includeTools: ['a'], excludeTools: ['b'] }, ['a', '!b']],
    [{ tools: ['*'], blockedTools: ['b'] }, ['*', '!b']],
    [{ available_tools: ['a'] }, ['a']],
    [{ available_tools: [] }, ['*']],
    [{ enabled_tools: [] }, []],
  ])('that chooses tools is a filter: %j', (entry, filters) => {
    expect(serverOf({ command: 'x', ...entry }).placement.toolFilters).toEqual(filters);
  });

  it.each([
    { includeTools: 'read_file' },
    { disabled_tools: { write: true } },
    { available_tools: true },
    { env_vars: ['not a name'] },
    { env_vars: 'A' },
    { bearer_token_env_var: 'Bearer abc' },
    { env_http_headers: ['A'] },
  ])('that restricts or provides and cannot be read is never left out quietly: %j', (entry) => {
    const error = failure({ mcpServers: { a: { command: 'x', ...entry } } });
    expect(error.problems.map(({ code }) => code)).toEqual(['WB1405']);
    expect(error.message).toContain(`"${Object.keys(entry)[0]}" of server "a" must be`);
  });

  it.each([
    ['a sandbox', { sandboxEnabled: true, sandbox: { network: { deniedDomains: ['*'] } } }, 2],
    ['approvals of single tools', { tools: { write: { approval_mode: 'prompt' } } }, 1],
    ['approvals of all tools', { default_tools_approval_mode: 'prompt' }, 1],
  ])('for %s, which does not hold here, has a note of its own', (_, entry, count) => {
    const { notes } = serverOf({ command: 'x', ...entry });
    expect(notes.filter((note) => note.startsWith('WB1412 '))).toHaveLength(count);
    expect(notes[0]).toContain('restricts the server in another client, but not here');
  });

  it('for a sandbox that is off says nothing of it', () => {
    expect(serverOf({ command: 'x', sandboxEnabled: false }).notes.some((note) => note.includes('WB1412'))).toBe(false);
  });

  it.each([...ignoredKeys.keys()])('that does not matter is noted with the reason and stops nothing: %s', (key) => {
    const { notes } = serverOf({ command: 'x', [key]: key === 'timeout' ? 60 : 'v' });
    expect(notes).toEqual([`WB1402 the key "${key}" in server "one" is ignored`]);
  });

  it.each([...unheldKeys.keys()])('that restricts stops nothing: %s', (key) => {
    expect(serverOf({ command: 'x', [key]: 'v' }).notes).toHaveLength(1);
  });

  it('that has the same header as "headers" is a contradiction', () => {
    const entry = { url: 'https://x/', headers: { authorization: 'a' }, bearer_token_env_var: 'T' };
    expect(failure({ mcpServers: { a: entry } }, { env: { T: 't' } }).message).toContain('contradict each other');
  });

  it('that names a variable which is not set is marked where it stands', () => {
    const text = '{"mcpServers":{"a":{"command":"x","env_vars":["GONE"]}}}';
    expect(failure(text).problems).toMatchObject([{ code: 'WB1102', offset: text.indexOf('"GONE"') }]);
  });

  it('inside oauth is understood or named', () => {
    const { definition, notes } = serverOf({
      url: 'https://x/',
      oauth: { client_id: 'i', client_secret: 's3cr3t', scope: 'a b', callback_port: 8765, redirectUri: 'http://x/' },
    });
    expect(definition.transport).toMatchObject({
      oauth: { clientId: 'i', clientSecret: 's3cr3t', scope: 'a b', redirectPort: 8765 },
    });
    expect(notes).toEqual(['WB1402 the key "redirectUri" in the sign-in of server "one" is ignored']);
  });
});
