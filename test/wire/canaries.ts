/** Secrets planted in every place a configuration can have them, and a search for them in what must not hold any. */
import { randomBytes } from 'node:crypto';

export interface Canary {
  /** What is configured. */
  readonly value: string;
  /** The part that is searched for: however the value is quoted or escaped, this stays as it is. */
  readonly core: string;
}

export function createCanary(before = '', after = ''): Canary {
  const core = randomBytes(8).toString('hex');
  return { core, value: `${before}${core}${after}` };
}

/** What was found, with some text around it; a part of a secret is a find, too. */
export function findCanaries(text: string, canaries: readonly Canary[]): string[] {
  return canaries.flatMap(({ core }) => {
    const at = [core.slice(0, 10), core.slice(-10)].map((part) => text.indexOf(part)).find((found) => found >= 0);
    return at === undefined ? [] : [text.slice(Math.max(0, at - 120), at + 60)];
  });
}
