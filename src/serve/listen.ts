/** `subscriptions/listen` of the stateless era: a request that stays open and brings news until somebody ends it. */
import type { Outcome } from '../base/call.ts';
import { findMember, isObject, type JsonObject } from '../base/json.ts';
import { metaKeys } from '../base/mcp.ts';
import { Payload } from '../base/payload.ts';
import { notificationText, type RpcId, resultText, rpcCode, rpcError } from '../base/rpc.ts';
import { type Capability, capabilities, changeMethod, type FrontSession } from '../front/front.ts';
import type { Request } from './message.ts';
import type { ModernExchange } from './modern-call.ts';
import type { ModernResults } from './modern-result.ts';
import type { ClientTask } from './tasks/client-task.ts';
import { toDetailedTask } from './tasks/modern-task.ts';
import { declaresTasks, tasksUndeclared, toTaskOutcome } from './tasks/modern-tasks.ts';
import type { TaskStore } from './tasks/task-store.ts';
import { mostWatched } from './watched-resources.ts';

export interface Listening {
  /** Undefined: it stays open. */
  listen(request: Request, exchange: ModernExchange): Promise<Outcome | undefined>;
  /** Ends every subscription with its result. */
  close(): void;
}

export interface ListeningOptions {
  readonly session: FrontSession;
  /** Says on every result who answers. */
  readonly stamp: JsonObject;
  readonly tasks: TaskStore;
  readonly results: ModernResults;
}

export function createListening({ session, stamp, tasks, results }: ListeningOptions): Listening {
  const subscriptions = new Map<RpcId, { end(): void; send(line: string): void }>();
  return {
    async listen(request, { signal, send, client }) {
      const { id, params } = request;
      const filter = findMember(params, 'notifications');
      if (!isObject(filter)) return { error: rpcError(rpcCode.invalidParams, '"notifications" must be an object.') };
      const wanted = capabilities.filter((name) => findMember(filter, toFilter(name)) === true);
      const uris = readTexts(filter, 'resourceSubscriptions');
      if (uris === undefined || uris.length > mostWatched)
        return {
          error: rpcError(rpcCode.invalidParams, `"resourceSubscriptions" must be at most ${mostWatched} URIs.`),
        };
      const taskIds = readTexts(filter, 'taskIds');
      if (taskIds === undefined || taskIds.length > mostWatched)
        return { error: rpcError(rpcCode.invalidParams, `"taskIds" must be at most ${mostWatched} ids.`) };
      if (taskIds.length > 0 && !declaresTasks(request)) return { error: tasksUndeclared('"taskIds"') };
      const watchedTasks = taskIds.flatMap((each) => tasks.find(each, client.principal) ?? []);
      const tagged: JsonObject = { [metaKeys.subscription]: id };
      // Nothing may come before the acknowledgement, which has to wait until servers have agreed.
      let early: { readonly line: string; readonly of: string | undefined }[] | undefined = [];
      const tell = (method: string, news: Payload = Payload.of({}), of?: string) => {
        const line = notificationText(method, news.with({ _meta: tagged }));
        if (early === undefined) send(line);
        else early.push({ line, of });
      };
      const stops = wanted.map((name) => session.onClientListChanged(name, () => tell(changeMethod(name))));
      const tellTask = (task: ClientTask) => tell('notifications/tasks', toDetailedTask(task, toTaskOutcome(results)));
      for (const task of watchedTasks) stops.push(task.onChanged(() => tellTask(task)));
      const end = () => {
        for (const stop of stops) stop();
      };
      subscriptions.set(id, { end, send });
      signal.addEventListener('abort', () => {
        end();
        subscriptions.delete(id);
      });
      const listenTo = (of: string) => (uri: string) =>
        tell('notifications/resources/updated', Payload.of({ uri }), of);
      const watches = await Promise.all(uris.map((uri) => session.subscribe(uri, { client, listener: listenTo(uri) })));
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
            ...(watchedTasks.length === 0 ? {} : { taskIds: watchedTasks.map((task) => task.id) }),
          },
          _meta: tagged,
        }),
      );
      // A server may have announced what it did not agree to in the end.
      for (const { line, of } of early) if (of === undefined || honoured.includes(of)) send(line);
      early = undefined;
      // What has happened before somebody listened would never be told.
      for (const task of watchedTasks) tellTask(task);
      return undefined;
    },
    close() {
      for (const [id, { end, send }] of subscriptions) {
        end();
        send(resultText(id, Payload.of({ resultType: 'complete', _meta: { ...stamp, [metaKeys.subscription]: id } })));
      }
      subscriptions.clear();
    },
  };
}

/** Undefined when it is no list of texts; none when nothing is said. */
function readTexts(filter: JsonObject, key: string): string[] | undefined {
  const list = findMember(filter, key) ?? [];
  if (!Array.isArray(list)) return undefined;
  const texts = list.filter((each) => typeof each === 'string');
  return texts.length === list.length ? [...new Set(texts)] : undefined;
}

/** The member of a listen filter that asks for the changes of a capability's lists. */
function toFilter(capability: Capability): string {
  return `${capability}ListChanged`;
}
