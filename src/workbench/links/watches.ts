/**
 * The resources that clients watch, over reloads: when another server takes the place of one, they are watched there. A change
 * between the two would be missed, so each watcher is told once.
 */
import type { Watch } from '../../base/call/watch.ts';
import type { Link } from '../../downstream/link/link.ts';
import type { ServerPlace, Watcher } from '../view/workbench-view.ts';

export interface Watches {
  add(place: ServerPlace, uri: string, watcher: Watcher): Promise<Watch>;
  /** Other servers may be in force now; `relocate` gives the new place of an old one, when places have other names. */
  move(relocate?: (place: ServerPlace) => ServerPlace | undefined): void;
}

interface Watched {
  place: ServerPlace;
  readonly uri: string;
  readonly watcher: Watcher;
  /** The link on which it is watched, or is about to be. */
  link?: Link | undefined;
  /** Counts how often watching was begun or given up: an earlier beginning is not wanted any more. */
  turns: number;
  stop?: (() => void) | undefined;
}

/** `get` throws when the server is gone. */
export function createWatches(get: (place: ServerPlace) => Link): Watches {
  const watched = new Set<Watched>();

  const begin = async (each: Watched, link: Link): Promise<Watch> => {
    each.link = link;
    const turn = ++each.turns;
    const watch = await link.watch(each.watcher.client, each.uri, each.watcher.listener);
    if ('error' in watch) return watch;
    if (watched.has(each) && each.turns === turn) each.stop = watch.stop;
    else watch.stop();
    return watch;
  };
  const end = (each: Watched) => {
    watched.delete(each);
    each.stop?.();
  };
  const findLink = (place: ServerPlace): Link | undefined => {
    try {
      return get(place);
    } catch {
      return undefined;
    }
  };

  return {
    async add(place, uri, watcher) {
      const each: Watched = { place, uri, watcher, turns: 0 };
      watched.add(each);
      try {
        const watch = await begin(each, get(place));
        if ('error' in watch) end(each);
        return 'error' in watch ? watch : { stop: () => end(each) };
      } catch (error) {
        end(each);
        throw error;
      }
    },
    move(relocate) {
      for (const each of watched) {
        each.place = relocate?.(each.place) ?? each.place;
        const link = findLink(each.place);
        if (link === each.link) continue;
        each.stop?.();
        each.stop = undefined;
        each.link = undefined;
        each.turns++;
        if (link === undefined) continue;
        begin(each, link).then(
          (watch) => {
            if (!('error' in watch) && watched.has(each)) each.watcher.listener(each.uri);
          },
          () => {},
        );
      }
    },
  };
}
