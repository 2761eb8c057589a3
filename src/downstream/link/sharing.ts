/**
 * Which clients use the shared connection to one server, and which have a dedicated one, as long as the link lasts. A server that turns out to
 * need one for each client is remembered, so that it begins that way in later runs. In this run the client that came first keeps
 * what it has; a client that is moved is told.
 */
import { type Call, type Client, identityOf } from '../../base/call/call.ts';
import type { JsonObject } from '../../base/json/json.ts';
import type { ServerDefinition } from '../../config/model/config.ts';
import { wantsLog } from '../call/log-route.ts';
import type { Audience } from '../connection/audience.ts';
import type { ServerQuirks } from '../connection/server-quirks.ts';
import type { ServerEdge } from '../era/edge.ts';
import type { Company, Need } from '../questions/company.ts';
import { type Lane, type LaneFacts, planLane } from './plan-lane.ts';

export interface SharingOptions {
  readonly definition: ServerDefinition;
  readonly verdicts: ServerQuirks;
  audience(): Audience;
  /** What the shared connection was told that its client can do. */
  told(): JsonObject;
  onNote(code: 'WB1026' | 'WB1027', message: string): void;
}

export interface SharingPolicy extends Pick<Company, 'connected' | 'onNeed'> {
  laneOf(edge: Pick<ServerEdge, 'isSession'>, client: Client): Lane;
  /** For a call that goes to a connection of its client: tells once that it is another than before. */
  tellMove(call: Call): void;
}

export function createSharing({ definition, verdicts, audience, told, onNote }: SharingOptions): SharingPolicy {
  const { name, sharing } = definition;
  let tenant: Client | undefined;
  /** Those who have shared the server in this run until it was found that they cannot. Undefined: that was not found now. */
  let moved: Set<Client | string> | undefined;
  const toGround = (isSession: boolean): LaneFacts => ({
    definition,
    isSession,
    get told() {
      return told();
    },
    get apart() {
      return verdicts.needs(definition, 'apart');
    },
    get tenant() {
      return tenant;
    },
    get sole() {
      return audience().sole;
    },
  });
  const [ofSession, stateless] = [toGround(true), toGround(false)];
  const laneOf: SharingPolicy['laneOf'] = ({ isSession }, client) =>
    planLane(isSession ? ofSession : stateless, client);

  return {
    laneOf,
    // Where each has one of its own, what is said on the shared one is for none of them.
    connected: (edge) => audience().connected.filter((client) => laneOf(edge, client) === 'main'),
    onNeed(need, presence) {
      if (audience().sole) return;
      if (sharing === 'shared') {
        if (need === 'apart') onNote('WB1027', toAmbiguous(name));
        return;
      }
      if (need === 'roots') verdicts.rememberNeed(definition, 'roots');
      if (verdicts.needs(definition, 'apart')) return;
      const { sessions } = presence;
      const [first, ...others] = sessions.length > 0 ? sessions : audience().connected;
      tenant = sessions.length > 0 || others.length === 0 ? first : undefined;
      moved = new Set(sessions.filter((client) => client !== tenant));
      tenant?.session?.onClose(() => {
        tenant = undefined;
      });
      presence.keepOnly(tenant);
      verdicts.rememberNeed(definition, 'apart');
      onNote('WB1026', toApart(name, need));
    },
    tellMove(call) {
      if (moved === undefined) return;
      const identity = identityOf(call.client);
      // It is not known whether a client without a session was there before.
      const isNews = typeof identity === 'string' ? !moved.has(identity) : moved.delete(identity);
      if (!isNews) return;
      if (typeof identity === 'string') moved.add(identity);
      const news: JsonObject = { level: 'warning', logger: name, data: toMoveNews(name) };
      const { logLevel } = call.features;
      if (logLevel === undefined || wantsLog(news, logLevel)) call.notify('notifications/message', news);
    },
  };
}

const because: Readonly<Record<Need, string>> = {
  apart: 'asks or logs what could be meant for several clients',
  roots: 'wants to know the roots of its client',
};

function toApart(name: string, need: Need): string {
  return `Server '${name}' ${because[need]}: every client has a copy of its own from now on.`;
}

function toAmbiguous(name: string): string {
  return `Server '${name}' ${because.apart}; because of "sharing": "shared" none of them gets it.`;
}

function toMoveNews(name: string): string {
  return `You have a copy of server '${name}' of your own from now on. What the server kept in memory before is not in it.`;
}
