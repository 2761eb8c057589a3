import { expect, it } from 'vitest';
import { memoizeInTurn } from '../../../src/base/async/memoize-in-turn.ts';

it('what was found is remembered for each key until the code that runs now has ended, and then looked for anew', async () => {
  const asked: string[] = [];
  const find = memoizeInTurn((key) => {
    asked.push(key);
    return key === 'missing' ? undefined : key.length;
  });
  expect([find('one'), find('missing'), find('one'), find('missing')]).toEqual([3, undefined, 3, undefined]);
  expect(asked).toEqual(['one', 'missing']);
  await Promise.resolve();
  expect(find('one')).toBe(3);
  expect(asked).toEqual(['one', 'missing', 'one']);
});
