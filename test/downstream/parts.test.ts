import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Call, LogLevel } from '../../src/base/call.ts';
import { parseConfigValue } from '../../src/config/parse.ts';
import { toExitFailure, toLateStart } from '../../src/downstream/failure.ts';
import { findLogged, withServerLogger } from '../../src/downstream/log-route.ts';
import { createVerdicts } from '../../src/downstream/verdicts.ts';
import { buildCall, startFake } from './fake-server.ts';

const call = (logLevel?: LogLevel): Call => buildCall(logLevel === undefined ? {} : { logLevel });

describe('a log message', () => {
  const [quiet, debug, errors] = [call(), call('debug'), call('error')];
  it.each<[string, Call[], string, Call | undefined]>([
    ['one call wants it', [debug], 'info', debug],
    ['the call did not ask', [quiet], 'info', undefined],
    ['it is below the level of the call', [errors], 'info', undefined],
    ['one of several calls wants it', [quiet, errors, debug], 'info', debug],
    ['its level is unknown', [debug], 'shout', undefined],
  ])('finds its call when %s', (_case, calls, level, found) => {
    const open = calls.map((one) => ({ call: one }));
    expect(findLogged({ level, data: 'x' }, open)?.call).toBe(found);
  });

  it.each<[string, Call[], LogLevel[]]>([
    ['one call wants log messages', [quiet, debug], ['debug']],
    ['none does', [quiet], []],
    ['two do', [debug, errors], []],
    ['the only one wants worse ones', [errors], []],
  ])(
    'of a server that logs only for calls that ask for it reaches, of several clients, who does: %s',
    (_, calls, levels) => {
      const { connection, say } = startFake({ era: 'modern' });
      const heard: (LogLevel | undefined)[] = [];
      const clients = [...calls, quiet];
      for (const [at, { features }] of clients.entries()) {
        const { logLevel } = features;
        const client = { name: `client ${at}`, principal: '' };
        void connection.call(
          buildCall({ client, ...(logLevel === undefined ? {} : { logLevel }), notify: () => heard.push(logLevel) }),
        );
      }
      say('notifications/message', { level: 'info', data: 'x' });
      expect(heard).toEqual(levels);
    },
  );

  it('says which server speaks', () => {
    expect(withServerLogger({ level: 'info', logger: 'db' }, 'files')).toEqual({ level: 'info', logger: 'files/db' });
    expect(withServerLogger({ level: 'info' }, 'files')).toEqual({ level: 'info', logger: 'files' });
  });
});

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

describe('remembered servers', () => {
  const config = parseConfigValue(
    { mcpServers: { a: { command: 'x', env: { K: '1' } }, b: { command: 'x', args: ['y'] } } },
    { dir: '/', env: {} },
  );
  const [a, b] = [...config.servers.values()] as [never, never];
  const folder = () => mkdtempSync(join(tmpdir(), 'verdicts-'));

  it('are known in the next run, each by its own definition', () => {
    const dir = folder();
    createVerdicts(dir).rememberLegacy(a);
    expect(createVerdicts(dir).find(a)).toBe('legacy');
    expect(createVerdicts(dir).find(b)).toBeUndefined();
    expect(readFileSync(join(dir, 'eras.json'), 'utf8')).not.toContain('"x"');
  });

  it('are forgotten when one turns out not to be old', () => {
    const dir = folder();
    createVerdicts(dir).rememberLegacy(a);
    createVerdicts(dir).forgetLegacy(a);
    expect(createVerdicts(dir).find(a)).toBeUndefined();
  });

  it('are forgotten after a week', () => {
    const dir = folder();
    createVerdicts(dir, () => 0).rememberLegacy(a);
    expect(createVerdicts(dir, () => 6 * 86_400_000).find(a)).toBe('legacy');
    expect(createVerdicts(dir, () => 8 * 86_400_000).find(a)).toBeUndefined();
  });

  it.each(['', '{', '[]', '{"x":"y"}'])('are forgotten, not fatal, when the file holds %j', (text) => {
    const dir = folder();
    writeFileSync(join(dir, 'eras.json'), text);
    expect(createVerdicts(dir).find(a)).toBeUndefined();
  });

  it('are kept for this run when there is no place to write', () => {
    const verdicts = createVerdicts(join(folder(), 'file\0impossible'));
    verdicts.rememberLegacy(a);
    expect(verdicts.find(a)).toBe('legacy');
  });
});
