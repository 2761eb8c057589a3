import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Call, LogLevel } from '../../src/base/call.ts';
import { parseConfigValue } from '../../src/config/parse.ts';
import { toExitFailure, toLateStart } from '../../src/downstream/failure.ts';
import { type LogRoute, routeLog, withServerLogger } from '../../src/downstream/log-route.ts';
import { createVerdicts } from '../../src/downstream/verdicts.ts';
import { buildCall } from './fake-server.ts';

const call = (logLevel?: LogLevel): Call => buildCall(logLevel === undefined ? {} : { logLevel });

describe('the way of a log message', () => {
  const [quiet, debug, errors] = [call(), call('debug'), call('error')];
  it.each([
    ['nobody calls', [], 'info', { to: 'anyone' }],
    ['one call wants it', [debug], 'info', { to: 'call', call: debug }],
    ['the call did not ask', [quiet], 'info', { to: 'nobody' }],
    ['it is below the level of the call', [errors], 'info', { to: 'nobody' }],
    ['one of several calls of one client wants it', [quiet, errors, debug], 'info', { to: 'call', call: debug }],
    ['its level is unknown', [debug], 'shout', { to: 'nobody' }],
  ])('when %s', (_case, inFlight, level, route) => {
    const calls = new Map(inFlight.map((one, at) => [at, { call: one }]));
    const ground = { stream: undefined, inFlight: calls, several: false, onlyWanted: false };
    expect(routeLog({ level, data: 'x' }, ground)).toEqual(route);
  });

  it.each<[string, Call[], number | undefined, LogRoute]>([
    ['one call is under way', [debug], undefined, { to: 'nobody' }],
    ['nobody calls', [], undefined, { to: 'nobody' }],
    ['it came on the stream of a call', [quiet, debug], 1, { to: 'call', call: debug }],
    ['it came on the stream of a call that did not ask', [quiet, debug], 0, { to: 'nobody' }],
    ['it came on the stream of a call that is over', [debug], 7, { to: 'nobody' }],
  ])('after several clients have called, when %s', (_case, inFlight, stream, route) => {
    const calls = new Map(inFlight.map((one, at) => [at, { call: one }]));
    expect(
      routeLog({ level: 'info', data: 'x' }, { stream, inFlight: calls, several: true, onlyWanted: false }),
    ).toEqual(route);
  });

  it.each<[string, Call[], LogRoute]>([
    ['one call wants log messages', [quiet, debug], { to: 'call', call: debug }],
    ['none does', [quiet], { to: 'nobody' }],
    ['two do', [debug, errors], { to: 'nobody' }],
    ['the only one wants worse ones', [errors], { to: 'nobody' }],
  ])(
    'of a server that logs only for calls that ask for it, after several clients have called, when %s',
    (_, calls, route) => {
      const inFlight = new Map(calls.map((one, at) => [at, { call: one }]));
      expect(
        routeLog({ level: 'info', data: 'x' }, { stream: undefined, inFlight, several: true, onlyWanted: true }),
      ).toEqual(route);
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
