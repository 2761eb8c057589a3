import { describe, expect, it } from 'vitest';
import { createLog, type LogOptions, toJsonLine, toPlainLine } from '../../../src/base/text/log.ts';
import { createRedactor } from '../../../src/base/text/redact.ts';

function record(options: Partial<LogOptions> = {}) {
  const lines: string[] = [];
  const redactor = createRedactor();
  redactor.learn('TOKEN', 'hunter2-hunter2');
  const log = createLog({
    level: 'debug',
    redactor,
    write: (line) => lines.push(line),
    now: () => new Date(0),
    ...options,
  });
  return { log, lines };
}

describe('the log', () => {
  it('writes one JSON object a line', () => {
    const { log, lines } = record();
    log.with({ server: 'x' }).info('ready', { tools: 3, era: undefined });
    expect(lines).toEqual([
      '{"time":"1970-01-01T00:00:00.000Z","level":"info","event":"ready","server":"x","tools":3}\n',
    ]);
  });

  it('cannot be made to write a second line or a terminal escape', () => {
    const { log, lines } = record();
    log.warn('said', { line: 'a\n{"level":"error"}\u001b[2J' });
    expect(lines).toHaveLength(1);
    expect(lines[0]?.trimEnd().includes('\n')).toBe(false);
    expect(JSON.parse(lines[0] as string).line).toBe('a {"level":"error"}\\u{1b}[2J');
  });

  it.each([
    ['a line break', '\n'],
    ['a carriage return', '\r'],
    ['a next line', '\u0085'],
    ['a line separator', '\u2028'],
    ['a paragraph separator', '\u2029'],
    ['a vertical tab', '\u000b'],
    ['an escape', '\u001b[1A'],
    ['a control sequence of one character', '\u009b1A'],
    ['an override of direction', '\u202e'],
    ['a half of a pair', '\ud800'],
    ['a quote', '" level="error'],
  ])('keeps one event on one line of its own, with %s in event and field, for programs and people', (_, text) => {
    for (const format of [toJsonLine, toPlainLine]) {
      const { log, lines } = record({ format });
      log.warn(`a${text}b`, { line: `c${text}d` });
      expect(lines).toHaveLength(1);
      expect(lines[0]?.slice(0, -1)).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u);
      if (format === toJsonLine)
        expect(Object.keys(JSON.parse(lines[0] ?? ''))).toEqual(['time', 'level', 'event', 'line']);
    }
  });

  it('never shows a secret it knows', () => {
    const { log, lines } = record();
    log.error('failed for hunter2-hunter2\u001b', { message: 'token hunter2-hunter2 refused' });
    expect(JSON.parse(lines[0] as string)).toMatchObject({
      event: 'failed for ‹TOKEN›\\u{1b}',
      message: 'token ‹TOKEN› refused',
    });
    expect(lines[0]).not.toContain('hunter2');
  });

  it('leaves out what is below its level', () => {
    const { log, lines } = record({ level: 'warn' });
    log.debug('a');
    log.info('b');
    log.warn('c');
    log.error('d');
    expect(lines.map((line) => JSON.parse(line).event)).toEqual(['c', 'd']);
  });

  it('can be written for people', () => {
    const { log, lines } = record({ format: toPlainLine });
    log.warn('slow', { server: 'x y', seconds: 3 });
    expect(lines).toEqual(['warn  slow server="x y" seconds=3\n']);
  });
});
