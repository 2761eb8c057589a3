/**
 * The connections of the service, bounded. When there are too many, the oldest one without a known owner goes, then the
 * oldest on which nothing happens: a connection that does not say who it is cannot keep out one that does.
 */
import type { IncomingMessage } from 'node:http';

export type Socket = IncomingMessage['socket'];

export interface Connections {
  /** A new one; false when it must be turned away because all others are in use. */
  open(socket: Socket): boolean;
  /** A request on it has shown who it comes from. */
  admit(socket: Socket): void;
  /** A request has come on it; to be told when that is answered. */
  begin(socket: Socket): () => void;
}

export function createConnections(most: number): Connections {
  /** Those that have not shown who they are, the oldest first. */
  const strangers = new Set<Socket>();
  /** The others, with the number of requests that are not answered; the one that was used longest ago first. */
  const known = new Map<Socket, number>();
  const makeRoom = (): boolean => {
    const [stranger] = strangers;
    const idle = stranger ?? [...known].find(([, open]) => open === 0)?.[0];
    if (idle === undefined) return false;
    forget(idle);
    idle.destroy();
    return true;
  };
  const forget = (socket: Socket) => {
    strangers.delete(socket);
    known.delete(socket);
  };
  return {
    open(socket) {
      const hasRoom = strangers.size + known.size < most || makeRoom();
      if (!hasRoom) return false;
      strangers.add(socket);
      socket.once('close', () => forget(socket));
      return true;
    },
    admit(socket) {
      if (strangers.delete(socket)) known.set(socket, 1);
    },
    begin(socket) {
      const open = known.get(socket);
      if (open !== undefined) {
        known.delete(socket);
        known.set(socket, open + 1);
      }
      let over = false;
      return () => {
        const now = known.get(socket);
        if (!over && now !== undefined) known.set(socket, Math.max(0, now - 1));
        over = true;
      };
    },
  };
}
