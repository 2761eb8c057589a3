/** Lists for a handshake-era client, and the news that one has changed. */
import type { Outcome } from '../../base/call/call.ts';
import type { JsonObject } from '../../base/json/json.ts';
import { notificationText } from '../../base/rpc/rpc.ts';
import { type Capability, changeMethod, type Kind, kindRules } from '../../front/front.ts';
import { downgradeList, withoutExecution } from '../edge/downgrade.ts';
import { readListPage } from '../edge/list-page.ts';
import type { LegacyState } from './legacy-state.ts';

export interface LegacyLists {
  list(kind: Kind, params: JsonObject): Promise<Outcome>;
  /** The client has used this capability: from here on it is told when a list of it changes. */
  follow(capability: Capability): void;
  close(): void;
}

/** A client that has not asked for a list yet cannot miss a change of it: while servers start, it hears nothing. */
export function createLegacyLists({ session, hasTasks, send }: LegacyState): LegacyLists {
  const followed = new Map<Capability, () => void>();
  const follow = (capability: Capability) => {
    if (followed.has(capability)) return;
    const tell = () => send(notificationText(changeMethod(capability), {}));
    followed.set(capability, session.onClientListChanged(capability, tell));
  };
  return {
    async list(kind, params) {
      try {
        const found = await readListPage(session, kind, params);
        if ('error' in found) return found;
        return { result: downgradeList(hasTasks ? found.page : withoutExecution(found.page)) };
      } finally {
        follow(kindRules[kind].capability);
      }
    },
    follow,
    close() {
      for (const stop of followed.values()) stop();
    },
  };
}
