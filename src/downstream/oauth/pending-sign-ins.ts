/**
 * Sign-ins that a person was asked for and has not finished: one for each server, shared by all calls that wait for it.
 * No browser is opened here; the caller gets the address.
 */
import { randomUUID } from 'node:crypto';
import { toPrintable } from '../../base/text/printable.ts';
import type { ServerDefinition } from '../../config/model/config.ts';
import type { LoginOptions, SignInRequest } from './login.ts';
import type { SignIns } from './sign-ins.ts';

export interface PendingSignIn {
  readonly id: string;
  /** Where the person signs in. */
  readonly url: string;
  /** One sentence: at which server, for which rights, and where the token goes. */
  readonly about: string;
  /** Resolves when the sign-in is over, also when it failed. */
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
      const show: LoginOptions['show'] = (url, issuer, request) =>
        resolve({ id: randomUUID(), url: url.href, about: toAbout(issuer, request), done });
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

/** The names of rights come from outside. */
function toAbout(issuer: string, { scopes, sentTo }: SignInRequest): string {
  const rights = scopes.length === 0 ? 'those it chooses' : toPrintable(scopes.join(', '), 300);
  return `You sign in at ${toPrintable(new URL(issuer).host)}; rights asked for: ${rights}; the token is sent to ${toPrintable(sentTo)} only.`;
}

const ignore = () => undefined;
