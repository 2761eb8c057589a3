import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { refuseFrontStdio } from '../../src/serve/refuse-stdio.ts';
import { createFakeClock } from '../support/fake-clock.ts';

const error = { code: -32603, message: 'wrong' };
const ask = (id: number) => `{"jsonrpc":"2.0","id":${id},"method":"initialize","params":{}}`;
const soon = () => new Promise((resolve) => setImmediate(resolve));

function begin() {
  const [input, output, clock] = [new PassThrough(), new PassThrough(), createFakeClock()];
  let over = false;
  void refuseFrontStdio({ input, output, error, clock }).then(() => {
    over = true;
  });
  const said = () =>
    String(output.read() ?? '')
      .split('\n')
      .filter(Boolean);
  return { input, clock, said, isOver: () => over };
}

describe('a client that is refused', () => {
  it('a client that is refused has a second to ask once more, in another era say, and is answered each time', async () => {
    const { input, clock, said, isOver } = begin();
    input.write(`${ask(1)}\n`);
    await soon();
    expect(said()).toEqual([`{"jsonrpc":"2.0","id":1,"error":${JSON.stringify(error)}}`]);
    await clock.advance(900);
    input.write(`${ask(2)}\n`);
    await soon();
    expect([said().length, isOver()]).toEqual([1, false]);
    await clock.advance(100);
    await soon();
    expect(isOver()).toBe(true);
  });

  it('a client that is refused and asks nothing is not waited for, and neither is one that leaves', async () => {
    const silent = begin();
    await silent.clock.advance(2_999);
    await soon();
    expect(silent.isOver()).toBe(false);
    await silent.clock.advance(1);
    await soon();
    expect(silent.isOver()).toBe(true);
    const leaving = begin();
    leaving.input.end(ask(1));
    await soon();
    await soon();
    expect([leaving.said().length, leaving.isOver()]).toEqual([1, true]);
  });
});
