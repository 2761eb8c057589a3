/**
 * The resources of one server that clients watch, each on the connection that the calls of its client go to: the copy of the server
 * that a call was made at announces what the call changed. When a client gets a connection of its own, its watches move there.
 */
import { type Client, identityOf } from '../../base/call/call.ts';
import type { OnUpdated, Watch } from '../../base/call/watch.ts';

export interface ClientWatches {
  add(client: Client, uri: string, listener: OnUpdated, where: 'shared' | 'own'): Promise<Watch>;
  /** This client calls on a connection of its own from now on. */
  move(client: Client): void;
}

export interface ClientWatchesOptions {
  add(client: Client, uri: string, listener: OnUpdated): Promise<Watch>;
  addShared(uri: string, listener: OnUpdated): Promise<Watch>;
}

interface Watched {
  readonly client: Client;
  readonly uri: string;
  readonly listener: OnUpdated;
  stop(): void;
}

export function createClientWatches({ add, addShared }: ClientWatchesOptions): ClientWatches {
  /** The watches on the shared connection. */
  const shared = new Set<Watched>();

  const moveOne = async (watched: Watched, client: Client): Promise<void> => {
    const { uri, listener, stop } = watched;
    let over = false;
    watched.stop = () => {
      over = true;
    };
    const watch = await add(client, uri, listener).catch(() => undefined);
    stop();
    if (watch === undefined || 'error' in watch) return;
    if (over) watch.stop();
    else watched.stop = watch.stop;
  };

  return {
    async add(client, uri, listener, where) {
      if (where === 'own') return add(client, uri, listener);
      const watch = await addShared(uri, listener);
      if ('error' in watch) return watch;
      const watched: Watched = { client, uri, listener, stop: watch.stop };
      shared.add(watched);
      return {
        stop() {
          shared.delete(watched);
          watched.stop();
        },
      };
    },
    move(client) {
      if (shared.size === 0) return;
      const identity = identityOf(client);
      for (const watched of [...shared]) {
        if (identityOf(watched.client) !== identity) continue;
        shared.delete(watched);
        void moveOne(watched, client);
      }
    },
  };
}
