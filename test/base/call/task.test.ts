import { expect, it } from 'vitest';
import { toPollMs } from '../../../src/base/call/task.ts';

it.each([
  [undefined, 1_000],
  ['5', 1_000],
  [Number.NaN, 1_000],
  [0, 1_000],
  [-5, 1_000],
  [1, 100],
  [250.4, 250],
  [1e12, 60_000],
])('what a peer says of how often to ask is bounded: %j is %d ms', (said, ms) => {
  expect(toPollMs(said)).toBe(ms);
});
