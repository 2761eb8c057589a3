/**
 * The session of a client whose surface depends on servers that have not been heard yet: its first request waits for them, and is
 * answered by the session that follows. The handshake does not wait.
 */
import { uncacheable } from '../../base/call/cache-hint.ts';
import type { Config } from '../../config/model/config.ts';
import type { ModeSession } from '../front.ts';
import { undecidedInstructions } from '../model-text/instructions.ts';

export interface UndecidedOptions {
  readonly bench: { readonly config: Config };
  /** Resolves when the surface is decided; by then `current` is another session, unless the client has left. */
  decide(): Promise<unknown>;
  current(): ModeSession;
}

export function createUndecidedSession({ bench, decide, current }: UndecidedOptions): ModeSession {
  const follow = async (): Promise<ModeSession> => {
    await decide();
    const next = current();
    if (next === session) throw new Error('the client has left');
    return next;
  };
  const session: ModeSession = {
    get instructions() {
      return undecidedInstructions(bench.config);
    },
    list: async (kind, cursor) => (await follow()).list(kind, cursor),
    hint: () => uncacheable,
    callTool: async (call) => (await follow()).callTool(call),
    getPrompt: async (call) => (await follow()).getPrompt(call),
    readResource: async (call) => (await follow()).readResource(call),
    complete: async (call) => (await follow()).complete(call),
    subscribe: async (uri, subscriber) => (await follow()).subscribe(uri, subscriber),
    findInputSchema: () => undefined,
    // A client that has not been given a list cannot miss a change of it.
    onClientListChanged: () => () => {},
    listingChanged() {},
    close() {},
  };
  return session;
}
