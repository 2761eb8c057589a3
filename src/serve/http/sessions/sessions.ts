/** The sessions of handshake-era clients: found only by their id, for their owner, at their endpoint, while they last. */
import { hash } from 'node:crypto';
import type { Clock } from '../../../base/async/clock.ts';
import type { HttpLimits } from '../limits.ts';

/** Lives as long as a session. */
export interface HeldSession {
  readonly id: string;
  readonly busy: boolean;
  close(): void;
}

export interface SessionPlace {
  /** Key of the principal. */
  readonly owner: string;
  readonly path: string;
}

/** One text for who it is and where: what is kept for one place is never given to another. */
export function toPlaceKey({ owner, path }: SessionPlace): string {
  return JSON.stringify([owner, path]);
}

export interface Sessions<S extends HeldSession> {
  /** Makes one, in place of an idle one where there are too many; undefined when all are in use. */
  add(place: SessionPlace, make: () => S): S | undefined;
  find(id: string, place: SessionPlace): S | undefined;
  remove(session: S): void;
  all(): S[];
  close(): void;
}

interface Held<S> extends SessionPlace {
  readonly session: S;
  readonly createdAt: number;
  usedAt: number;
}

const sweepMs = 60_000;

export function createSessions<S extends HeldSession>(limits: HttpLimits, clock: Clock): Sessions<S> {
  // By digest: how long a lookup takes says nothing about an id.
  const held = new Map<string, Held<S>>();
  const drop = (key: string, { session }: Held<S>) => {
    held.delete(key);
    session.close();
  };
  const isOver = ({ createdAt, usedAt }: Held<S>): boolean => {
    const now = clock.now();
    return now - createdAt >= limits.sessionMs || now - usedAt >= limits.sessionIdleMs;
  };
  const sweep = () => {
    for (const [key, each] of held) {
      if (each.session.busy) each.usedAt = clock.now();
      if (isOver(each)) drop(key, each);
    }
  };
  /** Drops the session that was idle for longest, of the owner with the most sessions that has an idle one. */
  const evict = (): boolean => {
    const owners = new Map<string, { count: number; idle: [string, Held<S>] | undefined }>();
    for (const [key, each] of held) {
      const own = owners.get(each.owner) ?? { count: 0, idle: undefined };
      own.count++;
      if (!each.session.busy && (own.idle === undefined || each.usedAt < own.idle[1].usedAt)) own.idle = [key, each];
      owners.set(each.owner, own);
    }
    const [largest] = [...owners.values()].filter(({ idle }) => idle !== undefined).sort((a, b) => b.count - a.count);
    if (largest?.idle === undefined) return false;
    drop(...largest.idle);
    return true;
  };
  let cancelSweep = () => {};
  const schedule = () => {
    cancelSweep = clock.after(sweepMs, () => {
      sweep();
      schedule();
    });
  };
  schedule();

  return {
    add({ owner, path }, make) {
      if (held.size >= limits.sessions) sweep();
      if (held.size >= limits.sessions && !evict()) return undefined;
      const session = make();
      const now = clock.now();
      held.set(toKey(session.id), { session, owner, path, createdAt: now, usedAt: now });
      return session;
    },
    find(id, { owner, path }) {
      const key = toKey(id);
      const found = held.get(key);
      if (found === undefined || found.owner !== owner || found.path !== path) return undefined;
      if (isOver(found)) {
        drop(key, found);
        return undefined;
      }
      found.usedAt = clock.now();
      return found.session;
    },
    remove(session) {
      const key = toKey(session.id);
      const found = held.get(key);
      if (found !== undefined) drop(key, found);
    },
    all: () => [...held.values()].map(({ session }) => session),
    close() {
      cancelSweep();
      for (const [key, each] of held) drop(key, each);
    },
  };
}

function toKey(id: string): string {
  return hash('sha256', id, 'base64');
}
