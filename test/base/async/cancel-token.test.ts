import { describe, expect, it } from 'vitest';
import { anyCancelled, type CancelSignal, CancelToken } from '../../../src/base/async/cancel-token.ts';

/** What both must do alike: calls of a program bring an AbortSignal, all others a Stop. */
const makers: [string, () => { signal: CancelSignal; abort(): void }][] = [
  [
    'a stop',
    () => {
      const stop = new CancelToken();
      return { signal: stop, abort: () => stop.abort() };
    },
  ],
  [
    'an AbortController',
    () => {
      const control = new AbortController();
      return { signal: control.signal, abort: () => control.abort() };
    },
  ],
];

describe.each(makers)('%s', (_name, make) => {
  it('tells each listener once, in the order they came, when it is stopped', () => {
    const { signal, abort } = make();
    const told: string[] = [];
    const first = () => told.push(`first ${signal.aborted}`);
    signal.addEventListener('abort', first);
    signal.addEventListener('abort', first);
    signal.addEventListener('abort', () => told.push('second'));
    expect(signal.aborted).toBe(false);
    abort();
    abort();
    expect(told).toEqual(['first true', 'second']);
  });

  it('does not tell whoever was taken off, also not when another listener did it', () => {
    const { signal, abort } = make();
    const told: string[] = [];
    const gone = () => told.push('gone');
    const late = () => told.push('late');
    signal.addEventListener('abort', gone);
    signal.addEventListener('abort', () => signal.removeEventListener('abort', late));
    signal.addEventListener('abort', late);
    signal.removeEventListener('abort', gone);
    abort();
    expect(told).toEqual([]);
  });

  it('does not tell whoever comes when it is stopped already', () => {
    const { signal, abort } = make();
    const told: string[] = [];
    signal.addEventListener('abort', () => signal.addEventListener('abort', () => told.push('during')));
    abort();
    signal.addEventListener('abort', () => told.push('after'));
    expect(told).toEqual([]);
  });

  it('stops what depends on it and on another', () => {
    const { signal, abort } = make();
    const other = new CancelToken();
    const either = anyCancelled(other, signal);
    let told = 0;
    either.addEventListener('abort', () => told++);
    abort();
    other.abort();
    expect([either.aborted, told]).toEqual([true, 1]);
    expect(anyCancelled(signal, new CancelToken()).aborted).toBe(true);
  });
});
