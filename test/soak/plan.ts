/** What the next call of the soak is: pure choices by chance that can be had again. */
import type { Random } from '../generator/random.ts';
import { badServers, healthyServers, type SoakServer } from './trouble/scenery.ts';

export type Plan =
  | { readonly kind: 'list' }
  | {
      readonly kind: 'call' | 'progress' | 'cancel' | 'ask';
      readonly nonce: string;
      readonly server: SoakServer;
      readonly tool: 'work' | 'look' | 'wait' | 'ask';
      /** Of the answer. */
      readonly size: number;
      /** Of what is sent along. */
      readonly load: number;
      readonly steps: number;
      readonly cancelAfterMs: number;
    };

export type CallPlan = Exclude<Plan, { kind: 'list' }>;

const kb = 1_000;
/** In 100 calls: 90, 9 and 1. */
export function pickSize(random: Random): number {
  const at = random.int(100);
  if (at < 90) return kb;
  return at < 99 ? 100 * kb : 2_000 * kb;
}

const asking = healthyServers.filter(({ asks }) => asks);
const waiting = healthyServers.filter(({ own }) => !own);

export function createPlanner(random: Random): () => Plan {
  let calls = 0;
  return () => {
    const at = random.int(100);
    if (at < 2) return { kind: 'list' };
    // As many of all as there are bad servers among all.
    const server = random.pick(random.oneIn(5) ? badServers : healthyServers);
    const plain = toPlan('call', server, random);
    if (server.bad) return plain;
    if (at < 4) return toPlan('cancel', random.pick(waiting), random);
    if (at < 9) return toPlan('progress', server, random);
    if (at < 12) return toPlan('ask', random.pick(asking), random);
    return plain;
  };

  function toPlan(kind: CallPlan['kind'], server: SoakServer, random: Random): CallPlan {
    const isSmall = kind === 'ask' || kind === 'cancel';
    const size = isSmall ? 0 : pickSize(random);
    const sends = !isSmall && random.oneIn(2);
    const plainTool = !server.bad && random.oneIn(10) ? 'look' : 'work';
    return {
      kind,
      nonce: `${server.name}.${++calls}.`,
      server,
      tool: kind === 'ask' ? 'ask' : kind === 'cancel' ? 'wait' : plainTool,
      size: sends ? kb : size,
      load: sends ? size : 0,
      steps: kind === 'progress' ? 3 : 0,
      cancelAfterMs: kind === 'cancel' ? 20 + random.int(200) : 0,
    };
  }
}
