/**
 * Sign-ins that a person was asked for and has not finished: one for each server, however many calls wait for it. Nothing is opened
 * here; whoever asked is given the address.
 */
import { randomUUID } from 'node:crypto';
import type { ServerDefinition } from '../../config/config.ts';
import type { SignIns } from './sign-ins.ts';

export interface PendingSignIn {
  readonly id: string;
  /** Where the person signs in. */
  readonly url: string;
  /** Resolves when it is over, whatever came of it. */
  readonly done: Promise<void>;
}

export interface PendingSignIns {
  /** Undefined when there is nowhere to sign in to. */
  begin(definition: ServerDefinition): Promise<PendingSignIn | undefined>;
  /** Resolves when no sign-in at this server is under way. */
  finished(key: string): Promise<void>;
  close(): void;
}

export function createPendingSignIns(open: () => Promise<SignIns>): PendingSignIns {
  const pending = new Map<string, Promise<PendingSignIn | undefined>>();
  const ending = new AbortController();

  const start = async (definition: ServerDefinition): Promise<PendingSignIn | undefined> => {
    const signIns = await open();
    return new Promise((resolve) => {
      const show = (url: URL) => resolve({ id: randomUUID(), url: url.href, done });
      const done = signIns
        .login(definition, { show, signal: ending.signal })
        .then(ignore, ignore)
        .finally(() => {
          pending.delete(definition.key);
          resolve(undefined);
        });
    });
  };
  return {
    begin(definition) {
      let started = pending.get(definition.key);
      if (started === undefined) {
        started = start(definition).catch(ignore);
        pending.set(definition.key, started);
      }
      return started;
    },
    finished: async (key) => (await pending.get(key))?.done,
    close: () => ending.abort(new Error('The Workbench is shutting down.')),
  };
}

const ignore = () => undefined;
