import { describe, expect, it } from 'vitest';
import { failure, serverOf } from '../support.ts';

describe('when a server starts and sleeps', () => {
  it.each([
    ['is left open without the keys', {}, { start: undefined, idleMs: undefined }],
    ['is as stated', { start: 'eager' }, { start: 'eager', idleMs: undefined }],
    ['may be after a second', { start: 'lazy', idleMs: 1_000 }, { start: 'lazy', idleMs: 1_000 }],
  ])('%s', (_case, keys, expected) => {
    const { definition, notes } = serverOf({ command: 'x', ...keys });
    expect(definition).toMatchObject(expected);
    expect(notes).toEqual([]);
  });

  it.each([
    ['another word', { start: 'soon' }, 'must be one of "lazy"'],
    ['a pause below a second', { idleMs: 999 }, '1000'],
    ['a part of a millisecond', { idleMs: 1_000.5 }, 'idleMs'],
  ])('cannot be said by %s', (_case, keys, text) => {
    expect(failure({ mcpServers: { one: { command: 'x', ...keys } } }).message).toContain(text);
  });

  it('is said twice by a pause for a server that is kept running, which is noted', () => {
    expect(serverOf({ command: 'x', start: 'eager', idleMs: 5_000 }).notes).toEqual([
      'WB1405 "idleMs" has no effect on server "one": its "start" is "eager"',
    ]);
  });
});
