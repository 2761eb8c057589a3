/** Who uses this workbench: one client at a pipe, who may be asked anything at any time, or many, of whom nothing is assumed. */
import type { Client } from '../base/call.ts';
import type { Audience } from '../downstream/audience.ts';

export interface Guests {
  readonly audience: Audience;
  /** Makes room before the first of them comes. */
  admit(clients: 'one' | 'many'): void;
  /** Gives whether servers are told something else from now on. */
  meet(client: Client): boolean;
}

export function createGuests(onRootsChanged: () => void): Guests {
  let audience: Audience = { sole: true, host: undefined };
  let admitted = false;
  return {
    get audience() {
      return audience;
    },
    admit(clients) {
      // Two pipes are two clients.
      if (clients === 'many' || admitted) audience = { sole: false, host: undefined };
      admitted = true;
    },
    meet(client) {
      const { session } = client;
      if (!audience.sole || session === undefined) return false;
      audience = { sole: true, host: client };
      const stopRoots = session.onRootsChanged(onRootsChanged);
      session.onClose(() => {
        stopRoots();
        if (audience.host === client) audience = { sole: true, host: undefined };
      });
      return true;
    },
  };
}
