/** The clients of the soak: who makes the next call, and who ends its session and begins another. */
import type { Random } from '../../generator/random.ts';
import type { Plan } from '../plan.ts';
import type { Tally } from '../tally.ts';
import type { SoakClient } from './client.ts';

export interface Pool {
  pick(plan: Plan): SoakClient;
  /** Ends sessions with nothing under way and begins others, again and again. */
  startRenewals(): { stop(): Promise<void> };
  close(): Promise<void>;
}

const renewEveryMs = 500;
/** So many of each era use the servers that have a process for each of them. */
const few = 3;

export function createPool(clients: readonly SoakClient[], random: Random, tally: Tally): Pool {
  const renewing = new Map<SoakClient, Promise<void>>();
  const isFirst = (client: SoakClient) => clients.filter(({ era }) => era === client.era).indexOf(client) < few;
  const owners = clients.filter(isFirst);

  const renew = (client: SoakClient) => {
    const renewed = client.renew().then(
      () => tally.count('sessions closed and opened anew'),
      (error: Error) => tally.fault('lost', `a session could not be renewed: ${error.message}`),
    );
    renewing.set(
      client,
      renewed.finally(() => renewing.delete(client)),
    );
  };

  return {
    pick(plan) {
      const wanted = plan.kind !== 'list' && plan.server.own ? owners : clients;
      for (;;) {
        const client = random.pick(wanted);
        if (!renewing.has(client)) return client;
      }
    },
    startRenewals() {
      const timer = setInterval(() => {
        const idle = clients.filter((client) => client.open === 0 && !renewing.has(client));
        if (idle.length > 0 && renewing.size < few) renew(random.pick(idle));
      }, renewEveryMs);
      return {
        async stop() {
          clearInterval(timer);
          await Promise.all(renewing.values());
        },
      };
    },
    close: async () => void (await Promise.allSettled(clients.map((client) => client.close()))),
  };
}
