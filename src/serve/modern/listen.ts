/** `subscriptions/listen` of the stateless era: a request that stays open and brings news until it is cancelled. */
import type { Outcome } from '../../base/call/call.ts';
import { findMember, isObject, type JsonObject } from '../../base/json/json.ts';
import { RawJson } from '../../base/json/raw-json.ts';
import { metaKeys } from '../../base/rpc/mcp.ts';
import { notificationText, type RpcError, type RpcId, resultText, rpcCode, rpcError } from '../../base/rpc/rpc.ts';
import { type Capability, capabilities, changeMethod, type FrontSession } from '../../front/front.ts';
import type { Request } from '../conversation/message.ts';
import { maxWatched } from '../legacy/watched-resources.ts';
import type { ClientTask } from '../tasks/client-task.ts';
import { toDetailedTask } from '../tasks/modern-task.ts';
import { declaresTasks, tasksUndeclared, toTaskOutcome } from '../tasks/modern-tasks.ts';
import type { TaskStore } from '../tasks/task-store.ts';
import type { ModernExchange } from './modern-call.ts';
import type { ModernResults } from './modern-result.ts';

export interface ChangeListening {
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

export function createListening({ session, stamp, tasks, results }: ListeningOptions): ChangeListening {
  const subscriptions = new Map<RpcId, { end(): void; send(line: string): void }>();
  return {
    async listen(request, { signal, send, client }) {
      const { id } = request;
      const wanted = readFilter(request, (taskId) => tasks.find(taskId, client.principal));
      if ('error' in wanted) return wanted;
      const { lists, uris } = wanted;
      const news = createNews(id, send);
      const tellTask = (task: ClientTask) =>
        news.tell('notifications/tasks', toDetailedTask(task, toTaskOutcome(results)));
      const stops = [
        ...lists.map((name) => session.onClientListChanged(name, () => news.tell(changeMethod(name)))),
        ...wanted.tasks.map((task) => task.onChanged(() => tellTask(task))),
      ];
      const end = () => {
        for (const stop of stops) stop();
      };
      subscriptions.set(id, { end, send });
      signal.addEventListener('abort', () => {
        end();
        subscriptions.delete(id);
      });
      const listenTo = (of: string) => (uri: string) =>
        news.tell('notifications/resources/updated', RawJson.of({ uri }), of);
      const watches = await Promise.all(uris.map((uri) => session.subscribe(uri, { client, listener: listenTo(uri) })));
      for (const watch of watches) if ('stop' in watch) stops.push(watch.stop);
      if (signal.aborted || !subscriptions.has(id)) {
        end();
        return undefined;
      }
      const honoured = uris.filter((_, index) => 'stop' in (watches[index] ?? {}));
      news.acknowledge({ ...wanted, uris: honoured });
      // A change before the client listened would never be told.
      for (const task of wanted.tasks) tellTask(task);
      return undefined;
    },
    close() {
      for (const [id, { end, send }] of subscriptions) {
        end();
        send(resultText(id, RawJson.of({ resultType: 'complete', _meta: { ...stamp, [metaKeys.subscription]: id } })));
      }
      subscriptions.clear();
    },
  };
}

interface Wanted {
  readonly lists: readonly Capability[];
  readonly uris: readonly string[];
  readonly tasks: readonly ClientTask[];
}

/** What a client wants to hear of; tasks that it does not have are left out. */
function readFilter(
  request: Request,
  findTask: (id: string) => ClientTask | undefined,
): Wanted | { readonly error: RpcError } {
  const filter = findMember(request.params, 'notifications');
  if (!isObject(filter)) return { error: rpcError(rpcCode.invalidParams, '"notifications" must be an object.') };
  const uris = readTexts(filter, 'resourceSubscriptions');
  if (uris === undefined || uris.length > maxWatched)
    return { error: rpcError(rpcCode.invalidParams, `"resourceSubscriptions" must be at most ${maxWatched} URIs.`) };
  const taskIds = readTexts(filter, 'taskIds');
  if (taskIds === undefined || taskIds.length > maxWatched)
    return { error: rpcError(rpcCode.invalidParams, `"taskIds" must be at most ${maxWatched} ids.`) };
  if (taskIds.length > 0 && !declaresTasks(request)) return { error: tasksUndeclared('"taskIds"') };
  return {
    lists: capabilities.filter((name) => findMember(filter, toFilter(name)) === true),
    uris,
    tasks: taskIds.flatMap((id) => findTask(id) ?? []),
  };
}

interface News {
  /** `of`: the URI whose watch the news belongs to. */
  tell(method: string, params?: RawJson, of?: string): void;
  acknowledge(honoured: Wanted): void;
}

/** Nothing may come before the acknowledgement, which waits until servers have agreed: earlier news is kept. */
function createNews(id: RpcId, send: (line: string) => void): News {
  const tagged: JsonObject = { [metaKeys.subscription]: id };
  let early: { readonly line: string; readonly of: string | undefined }[] | undefined = [];
  return {
    tell(method, params = RawJson.of({}), of) {
      const line = notificationText(method, params.with({ _meta: tagged }));
      if (early === undefined) send(line);
      else early.push({ line, of });
    },
    acknowledge({ lists, uris, tasks }) {
      const notifications = {
        ...Object.fromEntries(lists.map((name) => [toFilter(name), true])),
        ...(uris.length === 0 ? {} : { resourceSubscriptions: [...uris] }),
        ...(tasks.length === 0 ? {} : { taskIds: tasks.map((task) => task.id) }),
      };
      send(notificationText('notifications/subscriptions/acknowledged', { notifications, _meta: tagged }));
      // A server may have announced an update of a resource whose watch it refused in the end.
      for (const { line, of } of early ?? []) if (of === undefined || uris.includes(of)) send(line);
      early = undefined;
    },
  };
}

/** Undefined when it is not a list of strings; empty when it is missing. */
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
