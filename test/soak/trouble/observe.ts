/** Looks at the Workbench once a second. */
import { readFileSync } from 'node:fs';
import { type Footprint, findFootprint } from './footprint.ts';

export interface Observation {
  /** One a second, from the first call on; empty where nothing can be seen. */
  readonly footprints: readonly Footprint[];
  stop(): void;
}

export function observe(pid: number): Observation {
  const footprints: Footprint[] = [];
  const timer = setInterval(() => {
    const found = findFootprint(pid);
    if (found !== undefined) footprints.push(found);
  }, 1_000);
  return { footprints, stop: () => clearInterval(timer) };
}

/** The longest delay of the event loop in each second, in ms. */
export function readStalls(file: string): number[] {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map(Number);
  } catch {
    return [];
  }
}
