import { describe, expect, it } from 'vitest';
import { createWorld } from '../link/link-world.ts';

const second = 1_000;
const method = 'tools/list';
const said = (limit: number, again: number) => ({
  code: 'WB1014',
  message: `${method} gave no answer within ${limit} s; it is asked for again in ${again} s`,
});

/** A server that is ready, but has not told its tools within their 10 s. */
async function startDeaf() {
  const world = createWorld({ server: { start: 'eager' } });
  world.server.deafTo = method;
  void world.link.start();
  await world.clock.advance(10 * second);
  const secondsAsked = () => world.server.unanswered.map((at) => at / second);
  return { ...world, secondsAsked };
}

describe('a list that does not come in time', () => {
  it('is asked for again, later and later, and the status says so', async () => {
    const { link, clock, secondsAsked } = await startDeaf();
    expect(link.status).toMatchObject({ state: 'ready', notes: [said(10, 5)] });
    await clock.advance(65 * second);
    expect(link.status.notes).toEqual([said(60, 30)]);
    await clock.advance(90 * second);
    expect(link.status.notes).toEqual([said(60, 300)]);
    await clock.advance(720 * second);
    expect(secondsAsked()).toEqual([0, 15, 105, 465, 825]);
    expect(link.status.notes).toEqual([said(60, 300)]);
  });

  it('is used when it comes at last, and nothing more is said or asked', async () => {
    const { link, clock, server, listings, secondsAsked } = await startDeaf();
    expect(listings).toEqual([]);
    server.deafTo = undefined;
    await clock.advance(5 * second);
    expect(listings).toEqual([['read', 'put', 'write', 'plain']]);
    expect(link.status.notes).toEqual([]);
    await clock.advance(3_600 * second);
    expect(secondsAsked()).toEqual([0]);
    expect(clock.pending).toBe(0);
  });

  it('is asked for from the beginning by the next process, and by no other', async () => {
    const { clock, server, secondsAsked } = await startDeaf();
    await clock.advance(3 * second);
    server.last.exit();
    await clock.advance(27 * second);
    // Lost at 13 s, started again half a second later, and late again at 23.5 s.
    expect(secondsAsked()).toEqual([0, 13.5, 28.5]);
  });

  it('is not asked for again when the server is closed', async () => {
    const { link, clock, secondsAsked } = await startDeaf();
    await link.close();
    await clock.advance(3_600 * second);
    expect([secondsAsked(), clock.pending]).toEqual([[0], 0]);
  });
});
