import { describe, expect, it } from 'vitest';
import { createEmitter } from '../../../src/base/async/emitter.ts';

describe('a signal', () => {
  it('tells everybody who listens, until they end their subscription', () => {
    const signal = createEmitter<number>();
    const heard: string[] = [];
    signal.on((value) => heard.push(`a${value}`));
    const stop = signal.on((value) => heard.push(`b${value}`));
    signal.emit(1);
    stop();
    signal.emit(2);
    expect(heard).toEqual(['a1', 'b1', 'a2']);
  });

  it('knows whether anybody listens', () => {
    const signal = createEmitter<void>();
    expect(signal.hasListeners).toBe(false);
    const stop = signal.on(() => {});
    expect(signal.hasListeners).toBe(true);
    stop();
    expect(signal.hasListeners).toBe(false);
  });

  it('does not tell those whose subscription another listener has just ended', () => {
    const signal = createEmitter<void>();
    const heard: string[] = [];
    signal.on(() => stop());
    const stop = signal.on(() => heard.push('too late'));
    signal.emit();
    expect(heard).toEqual([]);
  });

  it('tells those who come while it is telling from the next time on', () => {
    const signal = createEmitter<void>();
    const heard: string[] = [];
    signal.on(() => signal.on(() => heard.push('new')));
    signal.emit();
    expect(heard).toEqual([]);
    signal.emit();
    expect(heard).toEqual(['new']);
  });
});
