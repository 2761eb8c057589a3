/** The resources that one client of the handshake era watches. */
import type { Client, Outcome } from '../base/call.ts';
import { findString, type JsonObject } from '../base/json.ts';
import { Payload } from '../base/payload.ts';
import { notificationText, rpcCode, rpcError } from '../base/rpc.ts';
import type { Watch } from '../base/watch.ts';
import type { FrontSession } from '../front/front.ts';

export interface WatchedResources {
  subscribe(params: JsonObject): Promise<Outcome>;
  unsubscribe(params: JsonObject): Promise<Outcome>;
  close(): void;
}

/** Resources that one client may watch at once. */
export const mostWatched = 1_000;

export function createWatchedResources(
  session: FrontSession,
  { client, send }: { readonly client: Client; send(line: string): void },
): WatchedResources {
  // Kept from the beginning, so that a client that asks twice, or gives up before the server agrees, has one watch or none.
  const watched = new Map<string, Promise<Watch>>();
  let closed = false;

  const stop = async (uri: string): Promise<void> => {
    const watch = await watched.get(uri);
    watched.delete(uri);
    if (watch !== undefined && 'stop' in watch) watch.stop();
  };

  return {
    async subscribe(params) {
      const uri = findString(params, 'uri');
      if (uri === undefined) return noUri;
      if (watched.size >= mostWatched && !watched.has(uri))
        return { error: rpcError(rpcCode.invalidRequest, `No more than ${mostWatched} resources can be watched.`) };
      const begun =
        watched.get(uri) ??
        session.subscribe(uri, {
          client,
          listener(updated) {
            // A watch that is not agreed yet when the client leaves is ended only once it is.
            if (!closed) send(notificationText('notifications/resources/updated', { uri: updated }));
          },
        });
      watched.set(uri, begun);
      const watch = await begun;
      if ('error' in watch) {
        if (watched.get(uri) === begun) watched.delete(uri);
        return watch;
      }
      if (closed) watch.stop();
      return done;
    },
    async unsubscribe(params) {
      const uri = findString(params, 'uri');
      if (uri === undefined) return noUri;
      await stop(uri);
      return done;
    },
    close() {
      closed = true;
      for (const uri of [...watched.keys()]) void stop(uri);
    },
  };
}

const done: Outcome = { result: Payload.of({}) };
const noUri: Outcome = {
  error: rpcError(rpcCode.invalidParams, '"params.uri" must be a string: the URI of a resource.'),
};
