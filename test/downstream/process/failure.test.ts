import { describe, expect, it } from 'vitest';
import { parseConfigValue } from '../../../src/config/read/parse.ts';
import { toExitFailure, toLateStart } from '../../../src/downstream/process/failure.ts';

describe('the failure of a process', () => {
  it('before the handshake quotes its last words without stack lines', () => {
    const stderr = ['Error: cannot read settings', '    at Object.<anonymous> (/x.js:1:1)', 'giving up'];
    const failure = toExitFailure('files', { code: 1, signal: null }, { established: false, stderr });
    expect(failure.code).toBe('WB1004');
    expect(failure.message).toBe(
      "Server 'files' exited with code 1 before the handshake. It said: Error: cannot read settings | giving up",
    );
  });

  it('names the variable that its words seem to ask for', () => {
    const failure = toExitFailure(
      'git',
      { code: 1, signal: null },
      { established: false, stderr: ['GITHUB_TOKEN environment variable is required'] },
    );
    expect(failure.fix).toContain('GITHUB_TOKEN');
  });

  it('during service says that the outcome of calls is unknown', () => {
    const failure = toExitFailure(
      'files',
      { code: null, signal: 'SIGKILL' },
      { established: true, calling: true, stderr: [] },
    );
    expect(failure).toMatchObject({
      code: 'WB1010',
      message: "Server 'files' was ended by SIGKILL. Whether a call under way had its effect is unknown.",
    });
  });

  it('during service says nothing of calls when there were none', () => {
    const failure = toExitFailure('files', { code: null, signal: 'SIGKILL' }, { established: true, stderr: [] });
    expect(failure).toMatchObject({ code: 'WB1025', message: "Server 'files' was ended by SIGKILL." });
    expect(failure.fix).not.toContain('the call did');
  });

  it('stays within 500 characters whatever the server said', () => {
    const stderr = Array.from({ length: 100 }, () => 'x'.repeat(4_000));
    expect(
      toExitFailure('files', { code: 1, signal: null }, { established: false, stderr }).message.length,
    ).toBeLessThanOrEqual(500);
  });
});

describe('a handshake that takes too long', () => {
  it.each([
    [{ command: 'npx', args: ['-y', 'x'] }, true],
    [{ command: '/opt/bin/uvx', args: ['x'] }, true],
    [{ command: 'C:\\bin\\npx.cmd', args: ['x'] }, true],
    [{ command: 'node', args: ['x.js'] }, false],
    [{ url: 'https://one.example/mcp' }, false],
  ])('of %j is put down to a download: %s', (entry, downloads) => {
    const { servers } = parseConfigValue({ mcpServers: { s: entry } }, { dir: '/', env: {} });
    const [definition] = [...servers.values()] as [never];
    const { code, fix } = toLateStart(definition);
    expect([code, fix.includes('download')]).toEqual(['WB1005', downloads]);
    expect(fix.includes('"url"')).toBe('url' in entry);
  });
});
