import { describe, expect, it } from 'vitest';
import { Eventual } from '../../src/base/eventual.ts';

const fail = (error: unknown) => {
  throw error;
};

describe('what a call will come to', () => {
  it('passes through all steps at once when it is there, in their order', () => {
    const seen: string[] = [];
    const eventual = new Eventual<number>();
    eventual
      .map((value) => {
        seen.push(`first ${value}`);
        return value + 1;
      })
      .map((value) => seen.push(`second ${value}`));
    expect(seen).toEqual([]);
    eventual.resolve(1);
    expect(seen).toEqual(['first 1', 'second 2']);
  });

  it('takes a step at once when it is there already', () => {
    const seen: unknown[] = [];
    Eventual.of(1).map((value) => seen.push(value));
    Eventual.failed('lost').map(fail, (error) => seen.push(error));
    expect(seen).toEqual([1, 'lost']);
  });

  it.each<[string, (eventual: Eventual<string>) => void, unknown[]]>([
    ['a second value', (eventual) => eventual.resolve('late'), ['value']],
    ['a failure behind it', (eventual) => eventual.reject('late'), ['value']],
  ])('counts only the first that it is told, not %s', (_case, tell, expected) => {
    const seen: unknown[] = [];
    const eventual = new Eventual<string>();
    eventual.map(
      (value) => seen.push(value),
      (error) => seen.push(error),
    );
    eventual.resolve('value');
    eventual.map(() => 'kept');
    tell(eventual);
    eventual.map(
      (value) => seen.push(value),
      (error) => seen.push(error),
    );
    expect(seen).toEqual([...expected, 'kept']);
  });

  it('counts only the first also while one of its steps is waited for', async () => {
    const eventual = new Eventual<string>();
    const seen: unknown[] = [];
    const end = eventual
      .map(async (value) => `${value}!`)
      .map(
        (value) => seen.push(value),
        (error) => seen.push(error),
      );
    eventual.resolve('value');
    eventual.resolve('late');
    eventual.reject('late');
    await end;
    expect(seen).toEqual(['value!']);
  });

  it('goes on with what a step throws, past the steps that want a value', async () => {
    const skipped: unknown[] = [];
    const end = Eventual.of(1)
      .map(() => fail(new Error('broken')))
      .map((value) => skipped.push(value))
      .map(String, (error) => `explained: ${(error as Error).message}`);
    expect([await end, skipped]).toEqual(['explained: broken', []]);
  });

  it.each<[string, () => Promise<string> | Eventual<string>]>([
    ['a promise', async () => 'later'],
    ['an eventual that is not there yet', () => Eventual.of(Promise.resolve('later'))],
    ['an eventual that is there', () => Eventual.of('later')],
  ])('waits for a step that gives %s', async (_case, give) => {
    const seen: string[] = [];
    await Eventual.of(0)
      .map(give)
      .map((value) => seen.push(value));
    expect(seen).toEqual(['later']);
  });

  it.each<[string, () => Promise<string> | Eventual<string>]>([
    ['a promise that is rejected', () => Promise.reject('lost')],
    ['an eventual that fails', () => Eventual.failed('lost')],
    ['nothing, because it throws', () => fail('lost')],
  ])('fails when it is begun with %s', async (_case, begin) => {
    await expect(Eventual.run(begin)).rejects.toBe('lost');
  });

  it('does what is to be done at the end after either end, and keeps that', async () => {
    let ends = 0;
    const end = () => void ends++;
    await expect(Eventual.of(1).atEnd(end)).resolves.toBe(1);
    await expect(Eventual.failed('lost').atEnd(end)).rejects.toBe('lost');
    expect(ends).toBe(2);
  });

  it('gives everybody who awaits it the same', async () => {
    const eventual = new Eventual<number>();
    const [first, second] = [eventual.then((value) => value + 1), eventual.then((value) => value + 2)];
    eventual.resolve(1);
    expect([await first, await second, await eventual]).toEqual([2, 3, 1]);
  });

  it('takes a step that is added by a step behind all that were there', () => {
    const seen: string[] = [];
    const eventual = new Eventual<string>();
    eventual.map(() => {
      eventual.map(() => seen.push('added'));
      seen.push('first');
      return '';
    });
    eventual.map(() => seen.push('second'));
    eventual.resolve('');
    expect(seen).toEqual(['first', 'second', 'added']);
  });
});
