/** Calls that need a person to sign in first: the calling client asks the person, and the call goes on afterwards. */

import { type Clock, within } from '../../base/async/clock.ts';
import type { Call } from '../../base/call/call.ts';
import { WorkbenchError } from '../../base/errors/errors.ts';
import { RightsNeeded } from '../../base/errors/rights-needed.ts';
import { UrlNeeded } from '../../base/errors/url-needed.ts';
import type { ServerDefinition } from '../../config/model/config.ts';
import { createPendingSignIns } from '../../downstream/oauth/pending-sign-ins.ts';
import type { SignInsOptions } from '../../downstream/oauth/sign-ins.ts';

export interface SignInCalls {
  /** Throws UrlNeeded when the client of this call can ask its user to sign in. */
  ask(definition: ServerDefinition, call: Call): Promise<void>;
  /** Waits for a sign-in that the user of this call agreed to. */
  finished(key: string, call: Call): Promise<void>;
  close(): void;
}

/** How long the search for an authorization server may delay a call. */
const urlMs = 10_000;

export interface SignInCallsOptions extends Omit<SignInsOptions, 'stateDir'> {
  readonly clock: Clock;
  /** Without it no person is asked: a sign-in would be forgotten at once. */
  readonly stateDir: string | undefined;
}

export function createSignInCalls({ clock, stateDir, ...parts }: SignInCallsOptions): SignInCalls {
  const load = async (dir: string) => {
    const { createSignIns } = await import('../../downstream/oauth/sign-ins.ts');
    return createSignIns({ stateDir: dir, ...parts });
  };
  const signIns = stateDir === undefined ? undefined : createPendingSignIns(() => load(stateDir));
  return {
    async ask(definition, call) {
      if (!call.features.opensUrls || signIns === undefined) return;
      const pending = await within(clock, urlMs, signIns.begin(definition));
      if (pending === undefined) return;
      throw new UrlNeeded(`Sign in at server '${definition.name}' to go on. ${pending.about}`, pending);
    },
    async finished(key, call) {
      if (call.resume?.awaitsUrl !== true) return;
      const given = new Promise<void>((resolve) => call.signal.addEventListener('abort', () => resolve()));
      await Promise.race([signIns?.finished(key), given]);
    },
    close: () => signIns?.close(),
  };
}

/** Whether a call failed because of a right that a person can grant. */
export function helpsSignIn(error: unknown): boolean {
  return error instanceof RightsNeeded || (error instanceof WorkbenchError && error.code === 'WB1201');
}
