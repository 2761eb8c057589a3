/** Which clients use this workbench: one on a pipe, which may be asked at any time, or many, of which nothing is assumed. */
import type { Client } from '../../base/call/call.ts';
import type { Audience } from '../../downstream/connection/audience.ts';

export interface ClientAudience {
  readonly audience: Audience;
  /** Called before the first of them comes. */
  expectClients(clients: 'one' | 'many'): void;
  /** Returns whether servers are told something else from now on. */
  clientConnected(client: Client): boolean;
}

/**
 * What servers that start now are told: what the only client can do or, with many clients, what the first one can do if it has no
 * session. A client without a session says with every request what it can do, and a server must not rely on anything else. For
 * clients with sessions servers are told everything; a question that such a client does not take is refused.
 */
function planDeclared(
  { sole, connected, declared }: Audience,
  { session, capabilities }: Client,
): Audience['declared'] {
  if (sole) return session?.capabilities ?? capabilities;
  return session === undefined && connected.length === 0 ? (declared ?? capabilities) : undefined;
}

export function createClientAudience(onRootsChanged: (client: Client) => void): ClientAudience {
  let audience: Audience = { sole: true, connected: [] };
  let admitted = false;
  return {
    get audience() {
      return audience;
    },
    expectClients(clients) {
      // Two pipes are two clients.
      if (clients === 'many' || admitted) audience = { ...audience, sole: false, declared: undefined };
      admitted = true;
    },
    clientConnected(client) {
      const { session } = client;
      const before = audience.declared;
      audience = { ...audience, declared: planDeclared(audience, client) };
      const isNews = audience.declared !== before;
      if (session === undefined) return isNews;
      audience = { ...audience, connected: [...audience.connected, client] };
      const stopRoots = session.onRootsChanged(() => onRootsChanged(client));
      session.onClose(() => {
        stopRoots();
        audience = { ...audience, connected: audience.connected.filter((each) => each !== client) };
      });
      return isNews;
    },
  };
}
