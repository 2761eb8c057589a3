/** The resources that one client of the handshake era watches. */
import type { Client, Outcome } from '../../base/call/call.ts';
import type { Watch } from '../../base/call/watch.ts';
import { findString, type JsonObject } from '../../base/json/json.ts';
import { RawJson } from '../../base/json/raw-json.ts';
import { notificationText, rpcCode, rpcError } from '../../base/rpc/rpc.ts';
import type { FrontSession } from '../../front/front.ts';

export interface WatchedResources {
  subscribe(params: JsonObject): Promise<Outcome>;
  unsubscribe(params: JsonObject): Promise<Outcome>;
  close(): void;
}

/** Resources that one client may watch at once. */
export const maxWatched = 1_000;

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
      if (watched.size >= maxWatched && !watched.has(uri))
        return { error: rpcError(rpcCode.invalidRequest, `No more than ${maxWatched} resources can be watched.`) };
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

const done: Outcome = { result: RawJson.of({}) };
const noUri: Outcome = {
  error: rpcError(rpcCode.invalidParams, '"params.uri" must be a string: the URI of a resource.'),
};
