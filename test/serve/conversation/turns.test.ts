import { describe, expect, it } from 'vitest';
import { createTurns } from '../../../src/serve/conversation/turns.ts';
import { createFakeClock } from '../../support/fake-clock.ts';

describe('long messages', () => {
  const open = () => {
    const clock = createFakeClock();
    let took = 0;
    const working = { ...clock, now: () => clock.now() + took };
    const turns = createTurns({ clock: working, maxBegun: 100, maxOpen: 160 });
    const seen: string[] = [];
    const done = new Map<string, () => void>();
    const take = (name: string, { length = 50, tookMs = 0, owner = 'a' } = {}) =>
      turns.take({
        owner,
        length,
        begin(end) {
          seen.push(name);
          done.set(name, end);
          took += tookMs;
        },
        giveUp: () => void seen.push(`${name} is too much`),
      });
    return { clock, turns, seen, take, done: (name: string) => done.get(name)?.() };
  };

  it('long messages are read at once when nobody else has one', async () => {
    const { seen, take } = open();
    take('one', { tookMs: 5 });
    take('two', { tookMs: 5 });
    expect(seen).toEqual(['one', 'two']);
  });

  it('long messages leave the service free for as long as the last one took', async () => {
    const { clock, seen, take, turns } = open();
    take('one', { tookMs: 80 });
    take('two', { tookMs: 20 });
    expect([seen, turns.isFree(1)]).toEqual([['one'], false]);
    await clock.advance(79);
    expect(seen).toEqual(['one']);
    await clock.advance(1);
    expect(seen).toEqual(['one', 'two']);
  });

  it('long messages are begun together up to a bound, and the next one when one of them is answered', async () => {
    const { clock, seen, take, done } = open();
    for (const name of ['one', 'two', 'three']) take(name);
    expect(seen).toEqual(['one', 'two']);
    done('one');
    await clock.advance(1);
    expect(seen).toEqual(['one', 'two', 'three']);
  });

  it('long messages do not wait for ever for one that is not answered', async () => {
    const { clock, seen, take } = open();
    for (const name of ['one', 'two', 'three']) take(name);
    await clock.advance(1_100);
    expect(seen).toEqual(['one', 'two', 'three']);
  });

  it('long messages are refused when too much is not answered, and others are read when one owner has too much', async () => {
    const { clock, seen, take, done } = open();
    for (const name of ['one', 'two', 'three', 'four']) take(name);
    await clock.advance(5_000);
    expect(seen).toEqual(['one', 'two', 'three', 'four is too much']);
    take('small', { length: 10, owner: 'b' });
    expect(seen.at(-1)).toBe('small');
    done('one');
    done('one');
    take('five', { owner: 'b' });
    expect(seen.at(-1)).toBe('five');
  });

  it('long messages can be of any length that is allowed', async () => {
    const { seen, take, turns } = open();
    turns.makeRoom(1_000);
    take('long', { length: 1_000 });
    expect(seen).toEqual(['long']);
  });
});
