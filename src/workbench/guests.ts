/** Who uses this workbench: one client at a pipe, who may be asked anything at any time, or many, of whom nothing is assumed. */
import type { Client } from '../base/call.ts';
import type { Audience } from '../downstream/audience.ts';

export interface Guests {
  readonly audience: Audience;
  /** Makes room before the first of them comes. */
  admit(clients: 'one' | 'many'): void;
  meet(client: Client): void;
}

export function createGuests(onRootsChanged: (client: Client) => void): Guests {
  let audience: Audience = { sole: true, connected: [] };
  let admitted = false;
  return {
    get audience() {
      return audience;
    },
    admit(clients) {
      // Two pipes are two clients.
      if (clients === 'many' || admitted) audience = { ...audience, sole: false };
      admitted = true;
    },
    meet(client) {
      const { session } = client;
      audience = { ...audience, declared: session?.capabilities ?? client.capabilities };
      if (session === undefined) return;
      audience = { ...audience, connected: [...audience.connected, client] };
      const stopRoots = session.onRootsChanged(() => onRootsChanged(client));
      session.onClose(() => {
        stopRoots();
        audience = { ...audience, connected: audience.connected.filter((each) => each !== client) };
      });
    },
  };
}
