/** `subscriptions/listen` of the stateless era: a request that stays open and brings news until somebody ends it. */
import type { Client, Outcome } from '../base/call.ts';
import { findMember, isObject, type JsonObject } from '../base/json.ts';
import { Payload } from '../base/payload.ts';
import { notificationText, type RpcId, resultText, rpcCode, rpcError } from '../base/rpc.ts';
import { type Capability, capabilities, changeMethod, type FrontSession } from '../front/front.ts';
import type { Exchange } from './edge.ts';
import type { Request } from './message.ts';
import { keys } from './modern-keys.ts';
import { mostWatched } from './watched-resources.ts';

export interface Listening {
  /** Undefined: it stays open. */
  listen(request: Request, exchange: Exchange): Promise<Outcome | undefined>;
  /** Ends every subscription with its result. */
  close(): void;
}

/** `stamp` says on every result who answers. */
export function createListening(session: FrontSession, stamp: JsonObject, ourselves: Client): Listening {
  const subscriptions = new Map<RpcId, { end(): void; send(line: string): void }>();
  return {
    async listen({ id, params }, { signal, send, client = ourselves }) {
      const filter = findMember(params, 'notifications');
      if (!isObject(filter)) return { error: rpcError(rpcCode.invalidParams, '"notifications" must be an object.') };
      const wanted = capabilities.filter((name) => findMember(filter, toFilter(name)) === true);
      const uris = readUris(filter);
      if (uris === undefined || uris.length > mostWatched)
        return {
          error: rpcError(rpcCode.invalidParams, `"resourceSubscriptions" must be at most ${mostWatched} URIs.`),
        };
      const tagged: JsonObject = { [keys.subscription]: id };
      // Nothing may come before the acknowledgement, which has to wait until servers have agreed.
      let early: string[] | undefined = [];
      const tell = (method: string, news: JsonObject = {}) => {
        const line = notificationText(method, { ...news, _meta: tagged });
        if (early === undefined) send(line);
        else early.push(line);
      };
      const stops = wanted.map((name) => session.onListChanged(name, () => tell(changeMethod(name))));
      const end = () => {
        for (const stop of stops) stop();
      };
      subscriptions.set(id, { end, send });
      signal.addEventListener('abort', () => {
        end();
        subscriptions.delete(id);
      });
      const listener = (uri: string) => tell('notifications/resources/updated', { uri });
      const watches = await Promise.all(uris.map((uri) => session.subscribe(uri, { client, listener })));
      for (const watch of watches) if ('stop' in watch) stops.push(watch.stop);
      if (signal.aborted || !subscriptions.has(id)) {
        end();
        return undefined;
      }
      const honoured = uris.filter((_, index) => 'stop' in (watches[index] ?? {}));
      send(
        notificationText('notifications/subscriptions/acknowledged', {
          notifications: {
            ...Object.fromEntries(wanted.map((name) => [toFilter(name), true])),
            ...(honoured.length === 0 ? {} : { resourceSubscriptions: honoured }),
          },
          _meta: tagged,
        }),
      );
      for (const line of early) send(line);
      early = undefined;
      return undefined;
    },
    close() {
      for (const [id, { end, send }] of subscriptions) {
        end();
        send(resultText(id, Payload.of({ resultType: 'complete', _meta: { ...stamp, [keys.subscription]: id } })));
      }
      subscriptions.clear();
    },
  };
}

/** Undefined when it is no list of URIs; none when nothing is said. */
function readUris(filter: JsonObject): string[] | undefined {
  const uris = findMember(filter, 'resourceSubscriptions') ?? [];
  if (!Array.isArray(uris)) return undefined;
  const texts = uris.filter((uri) => typeof uri === 'string');
  return texts.length === uris.length ? [...new Set(texts)] : undefined;
}

/** The member of a listen filter that asks for the changes of a capability's lists. */
function toFilter(capability: Capability): string {
  return `${capability}ListChanged`;
}
