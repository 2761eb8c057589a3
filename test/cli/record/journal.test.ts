import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createJournal, type JournalOptions, toPrincipalName } from '../../../src/cli/record/journal.ts';
import { openJournalFile } from '../../../src/cli/record/journal-file.ts';
import { type CallRecord, createRedactor } from '../../../src/index.ts';
import { tempDir } from '../../support/processes.ts';

const record: CallRecord = {
  client: { name: 'claude-code', version: '2.1', principal: '' },
  method: 'tools/call',
  toolbox: 'code',
  server: 'github',
  name: 'search',
  ms: 12.6,
  outcome: 'ok',
};

function openFake(change: Partial<JournalOptions> = {}) {
  const texts: string[] = [];
  const lost: string[] = [];
  const journal = createJournal({
    file: { append: (text) => void texts.push(text) },
    redactor: createRedactor(),
    onLost: (why) => lost.push(why),
    now: () => Date.parse('2026-01-02T03:04:05Z'),
    ...change,
  });
  const lines = () =>
    texts.flatMap((text) =>
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    );
  return { journal, texts, lost, lines };
}

describe('the journal of calls', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('writes who called what, how long it took and how it ended, all calls of a second together', () => {
    const { journal, texts, lines } = openFake();
    journal.call(record);
    journal.call({ ...record, method: 'resources/read', name: undefined, outcome: 'WB1011' });
    expect(texts).toEqual([]);
    vi.advanceTimersByTime(1_000);
    expect(texts).toHaveLength(1);
    const time = '2026-01-02T03:04:05.000Z';
    expect(lines()).toEqual([
      { time, client: 'claude-code', version: '2.1', tool: 'code/github/search', ms: 13, outcome: 'ok' },
      {
        ...{ time, client: 'claude-code', version: '2.1', method: 'resources/read', at: 'code/github' },
        ...{ ms: 13, outcome: 'WB1011' },
      },
    ]);
  });

  it('writes what is left when it is told to, and nothing when there is nothing', () => {
    const { journal, texts } = openFake();
    journal.flush();
    journal.call(record);
    journal.flush();
    vi.advanceTimersByTime(5_000);
    expect(texts).toHaveLength(1);
  });

  it('names who stands behind a client, and keeps names short and harmless', () => {
    const { journal, lines } = openFake();
    const principal = JSON.stringify([JSON.stringify(['alice', null]), '/mcp']);
    journal.call({ ...record, client: { name: `x\u001b[2J${'y'.repeat(5_000)}`, principal } });
    journal.flush();
    const [{ client, principal: who }] = lines() as [{ client: string; principal: string }];
    expect([client.includes('\u001b'), client.length < 300, who]).toEqual([false, true, 'alice']);
  });

  it('hides secrets of the configuration, whoever says them', () => {
    const redactor = createRedactor();
    redactor.learn('TOKEN', 'hunter2hunter2');
    const { journal, texts } = openFake({ redactor });
    journal.call({ ...record, client: { name: 'hunter2hunter2', principal: '' } });
    journal.flush();
    expect(texts.join('')).toContain('‹TOKEN›');
  });

  it('counts what is too much for a second', () => {
    const { journal, lines } = openFake();
    for (let at = 0; at < 2_100; at++) journal.call(record);
    journal.flush();
    expect(lines()).toHaveLength(2_001);
    expect(lines().at(-1)).toMatchObject({ dropped: 100 });
  });

  it('writes refused tokens down, a few at once and then one a second, and no other events', () => {
    let time = 0;
    const { journal, lines } = openFake({ now: () => time });
    const log = journal.log.with({ service: 'http' });
    log.warn('something else', { code: 'WB1010' });
    for (let at = 0; at < 100; at++)
      log.warn('a token was refused', { code: 'WB1315', remote: '127.0.0.1', reason: 'wrong' });
    time = 1_500;
    log.warn('a token was refused', { code: 'WB1315', remote: '127.0.0.1', reason: 'wrong' });
    journal.flush();
    expect(lines()).toHaveLength(21);
    expect(lines().at(-1)).toEqual({
      time: '1970-01-01T00:00:01.500Z',
      event: 'token-refused',
      ...{ service: 'http', code: 'WB1315', remote: '127.0.0.1', reason: 'wrong', skipped: 80 },
    });
  });

  it('says once that nothing can be written, and stays quiet then', () => {
    const append = vi.fn(() => {
      throw new Error('no room');
    });
    const { journal, lost } = openFake({ file: { append } });
    for (let at = 0; at < 3; at++) {
      journal.call(record);
      journal.flush();
    }
    expect([lost, append.mock.calls.length]).toEqual([['no room'], 1]);
  });
});

describe('the name of a principal', () => {
  it.each([
    ['', ''],
    ['alice', 'alice'],
    [JSON.stringify([JSON.stringify(['alice', ['a']]), '/mcp']), 'alice'],
    ['[broken', '[broken'],
    ['[3]', '[3]'],
  ])('of %s is %s', (principal, name) => {
    expect(toPrincipalName(principal)).toBe(name);
  });
});

describe('the file of the journal', () => {
  const folderOf = (stateDir: string) => join(stateDir, 'log');

  it('belongs to its owner only, grows by what is appended, and is set aside when it is full', () => {
    const stateDir = tempDir();
    const [one, other] = [openJournalFile(stateDir), openJournalFile(stateDir)];
    one.append('a\n');
    other.append('b\n');
    const file = join(folderOf(stateDir), 'calls.jsonl');
    expect(readFileSync(file, 'utf8')).toBe('a\nb\n');
    if (process.platform !== 'win32') {
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(statSync(folderOf(stateDir)).mode & 0o777).toBe(0o700);
    }
    const half = `${'x'.repeat(600 * 1024)}\n`;
    for (let at = 0; at < 5; at++) (at % 2 === 0 ? one : other).append(half);
    expect(readdirSync(folderOf(stateDir)).sort()).toEqual(['calls.jsonl', 'calls.jsonl.old']);
    expect(statSync(file).size).toBe(half.length);
  });

  it.skipIf(process.platform === 'win32')('is never somebody else’s: a link is not followed', () => {
    const stateDir = tempDir();
    const precious = join(stateDir, 'precious');
    writeFileSync(precious, 'mine', { mode: 0o600 });
    mkdirSync(folderOf(stateDir), { mode: 0o700 });
    symlinkSync(precious, join(folderOf(stateDir), 'calls.jsonl'));
    expect(() => openJournalFile(stateDir).append('x\n')).toThrow('is a symbolic link');
    expect(readFileSync(precious, 'utf8')).toBe('mine');
  });

  it.skipIf(process.platform === 'win32')('is not written in a folder that others can use', () => {
    const stateDir = tempDir();
    mkdirSync(folderOf(stateDir), { mode: 0o777 });
    const { mode } = statSync(folderOf(stateDir));
    if ((mode & 0o077) === 0) return;
    expect(() => openJournalFile(stateDir).append('x\n')).toThrow('can be used by other users');
  });
});
