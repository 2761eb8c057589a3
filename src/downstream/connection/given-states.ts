/** Remembers the latest states that a server gave with its questions, so that a call goes on at the server where it was begun. */
import { hash } from 'node:crypto';
import { findString } from '../../base/json/json.ts';
import type { RawJson } from '../../base/json/raw-json.ts';

export interface GivenStates {
  /** Takes the state from an answer in which the server asks. */
  note(inputRequired: RawJson): void;
  has(state: string): boolean;
}

const maxStates = 1_024;

export function createGivenStates(): GivenStates {
  const digests = new Set<string>();
  const digest = (state: string) => hash('sha256', state, 'base64');
  return {
    note({ value }) {
      const state = findString(value, 'requestState');
      if (state === undefined) return;
      digests.add(digest(state));
      const [oldest] = digests;
      if (oldest !== undefined && digests.size > maxStates) digests.delete(oldest);
    },
    has: (state) => digests.size > 0 && digests.has(digest(state)),
  };
}
