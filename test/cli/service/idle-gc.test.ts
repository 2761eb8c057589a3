import { describe, expect, it } from 'vitest';
import { createIdleGc } from '../../../src/cli/service/idle-gc.ts';

/** How often memory was given back, look by look, when there were so many ms of work before each. */
function looks(work: readonly number[]): number[] {
  let [active, given] = [0, 0];
  const look = createIdleGc(() => given++);
  return work.map((ms) => {
    active += ms;
    look(active);
    return given;
  });
}

describe('memory is given back', () => {
  it.each([
    [
      'in two steps, when it has been quiet for a while after work',
      [300, 0, 0, 0, 0, 0, 0, 0],
      [0, 0, 0, 1, 1, 1, 2, 2],
    ],
    ['not while there is work, however long', [500, 500, 500, 500, 500], [0, 0, 0, 0, 0]],
    ['not between two pieces of work', [300, 0, 0, 300, 0, 0], [0, 0, 0, 0, 0, 0]],
    ['again after further work', [300, 0, 0, 0, 0, 400, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 3, 3]],
    ['not for a little work', [30, 0, 0, 0, 0], [0, 0, 0, 0, 0]],
    ['not for the work of giving it back', [300, 0, 0, 0, 40, 0, 0, 40, 0, 0, 0], [0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 2]],
  ])('%s', (_, work, expected) => {
    expect(looks(work)).toEqual(expected);
  });
});
