/** The stateless era (2026-07-28) towards a client: every request says who asks and in which version. */
import { type Call, type Client, isLogLevel, type LogLevel, type Outcome } from '../base/call.ts';
import { findMember, findObject, isObject, type Json, type JsonObject, withoutMembers } from '../base/json.ts';
import { Payload } from '../base/payload.ts';
import { notificationText, type RpcError, type RpcId, resultText, rpcCode, rpcError } from '../base/rpc.ts';
import { UrlNeeded } from '../base/url-needed.ts';
import { type Capability, changeMethod, capabilities as changing, findListedKind, type Kind } from '../front/front.ts';
import type { ClientEdge, EdgeOptions, Exchange } from './edge.ts';
import { legacyVersions } from './legacy.ts';
import { readListPage } from './list-page.ts';
import { findCallFault, type Request } from './message.ts';
import { toCall } from './to-call.ts';

const modernVersion = '2026-07-28';
const supportedVersions: readonly string[] = [modernVersion, ...legacyVersions];
const prefix = 'io.modelcontextprotocol/';
const keys = {
  version: `${prefix}protocolVersion`,
  capabilities: `${prefix}clientCapabilities`,
  clientInfo: `${prefix}clientInfo`,
  logLevel: `${prefix}logLevel`,
  serverInfo: `${prefix}serverInfo`,
  subscription: `${prefix}subscriptionId`,
} as const;
const capabilities: JsonObject = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { listChanged: true },
  completions: {},
  logging: {},
};

/** Whether a request is of this era: it names its version itself, or is a method that only exists here. */
export function isModernRequest({ method, meta }: Request): boolean {
  return Object.hasOwn(meta, keys.version) || method === 'server/discover';
}

/** Whether a version is of this era, known to us or not. */
export function isModernVersion(version: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(version) && version >= modernVersion;
}

/** The version that a request names itself. */
export function findVersion({ meta }: Request): Json | undefined {
  return findMember(meta, keys.version);
}

export function createModernEdge({ front, identity, localUser }: Omit<EdgeOptions, 'send'>): ClientEdge {
  const client: Client = { name: 'modern client' };
  const session = front.connect(client, { constantLists: true });
  const subscriptions = new Map<RpcId, { end(): void; send(line: string): void }>();
  const stamp: JsonObject = { [keys.serverInfo]: { ...identity } };

  /** Marks a result as complete and as ours. */
  const complete = (result: Payload, members: JsonObject = {}): Outcome => {
    const meta = result.find('_meta')?.with(stamp) ?? stamp;
    return { result: result.with({ resultType: 'complete', ...members, _meta: meta }) };
  };
  /** Lists are the same for all who may see them, but what is true now may change at any time. */
  const cacheable: JsonObject = { ttlMs: 0, cacheScope: 'private' };

  const pass = async (
    request: Request,
    exchange: Exchange,
    run: (call: Call) => Promise<Outcome>,
  ): Promise<Outcome> => {
    const fault = findCallFault(request) ?? findAnswersFault(request);
    if (fault !== undefined) return { error: fault };
    const answers = findObject(request.params, 'inputResponses');
    const settings = {
      client: exchange.client ?? client,
      logLevel: findLogLevel(request.meta),
      // Who has just said no is not asked again.
      opensUrls: localUser === true && declaresUrls(request.meta) && (answers === undefined || agreed(answers)),
      awaitsUrl: answers !== undefined && agreed(answers),
    };
    try {
      const outcome = await run(toCall(withoutAnswers(request), exchange, settings));
      return 'error' in outcome ? { error: toModernError(outcome.error) } : complete(outcome.result);
    } catch (error) {
      if (!(error instanceof UrlNeeded)) throw error;
      return { result: Payload.of({ ...urlRequired(error), _meta: stamp }) };
    }
  };

  const read = async (request: Request, exchange: Exchange): Promise<Outcome> => {
    const outcome = await pass(request, exchange, session.readResource);
    if ('error' in outcome || findMember(outcome.result.value, 'resultType') !== 'complete') return outcome;
    const contents = findMember(outcome.result.value, 'contents');
    // In this era nothing is said of what is not there but that.
    if (Array.isArray(contents) && contents.length === 0)
      return { error: rpcError(rpcCode.invalidParams, 'Resource not found.', { uri: request.params.uri ?? null }) };
    return { result: outcome.result.with(cacheable) };
  };

  const list = async (kind: Kind, { params }: Request): Promise<Outcome> => {
    const found = await readListPage(session, kind, params);
    return 'error' in found ? found : complete(found.page, cacheable);
  };

  const listen = ({ id, params }: Request, { signal, send }: Exchange): Outcome | undefined => {
    const filter = findMember(params, 'notifications');
    if (!isObject(filter)) return { error: rpcError(rpcCode.invalidParams, '"notifications" must be an object.') };
    const wanted = changing.filter((name) => findMember(filter, toFilter(name)) === true);
    const tagged: JsonObject = { [keys.subscription]: id };
    send(
      notificationText('notifications/subscriptions/acknowledged', {
        notifications: Object.fromEntries(wanted.map((name) => [toFilter(name), true])),
        _meta: tagged,
      }),
    );
    const stops = wanted.map((name) =>
      session.onListChanged(name, () => send(notificationText(changeMethod(name), { _meta: tagged }))),
    );
    const end = () => {
      for (const stop of stops) stop();
    };
    subscriptions.set(id, { end, send });
    signal.addEventListener('abort', () => {
      end();
      subscriptions.delete(id);
    });
    return undefined;
  };

  return {
    async request(request, exchange) {
      const problem = findMetaFault(request);
      if (problem !== undefined) return { error: problem };
      const kind = findListedKind(request.method);
      if (kind !== undefined) return list(kind, request);
      switch (request.method) {
        case 'server/discover':
          return complete(
            Payload.of({ supportedVersions: [...supportedVersions], capabilities, instructions: session.instructions }),
            cacheable,
          );
        case 'tools/call':
          return pass(request, exchange, session.callTool);
        case 'prompts/get':
          return pass(request, exchange, session.getPrompt);
        case 'resources/read':
          return read(request, exchange);
        case 'completion/complete':
          return pass(request, exchange, session.complete);
        case 'subscriptions/listen':
          return listen(request, exchange);
        default:
          return { error: rpcError(rpcCode.methodNotFound, `Method '${request.method}' is not offered.`) };
      }
    },
    close() {
      for (const [id, { end, send }] of subscriptions) {
        end();
        send(resultText(id, Payload.of({ resultType: 'complete', _meta: { ...stamp, [keys.subscription]: id } })));
      }
      subscriptions.clear();
      session.close();
    },
  };
}

/** Why a request cannot be served in this era, as far as its metadata says. */
export function findMetaFault({ meta }: Request): RpcError | undefined {
  const version = findMember(meta, keys.version);
  if (typeof version !== 'string') return rpcError(rpcCode.invalidParams, `"_meta" must hold "${keys.version}".`);
  if (version !== modernVersion) {
    const data = { supported: [...supportedVersions], requested: version };
    return rpcError(
      rpcCode.unsupportedVersion,
      `Protocol version '${version}' is not spoken in requests; use ${modernVersion}.`,
      data,
    );
  }
  if (!isObject(findMember(meta, keys.capabilities)))
    return rpcError(rpcCode.invalidParams, `"_meta" must hold "${keys.capabilities}", an object.`);
  const level = findMember(meta, keys.logLevel);
  if (level !== undefined && !isLogLevel(level))
    return rpcError(rpcCode.invalidParams, `"${keys.logLevel}" must be one of the eight log levels.`);
  return undefined;
}

/** The member of a listen filter that asks for the changes of a capability's lists. */
function toFilter(capability: Capability): string {
  return `${capability}ListChanged`;
}

/** The level is checked before; what is no level asks for nothing. */
function findLogLevel(meta: JsonObject): LogLevel | undefined {
  const level = findMember(meta, keys.logLevel);
  return isLogLevel(level) ? level : undefined;
}

/** Whether this request says that its client can show an address to its user. */
function declaresUrls(meta: JsonObject): boolean {
  const elicitation = findObject(findObject(meta, keys.capabilities) ?? {}, 'elicitation');
  return elicitation !== undefined && findObject(elicitation, 'url') !== undefined;
}

/** The client shows the address and makes its call again with what the user said. */
function urlRequired({ id, url, message }: UrlNeeded): JsonObject {
  const question = { method: 'elicitation/create', params: { mode: 'url', message, url } };
  return { resultType: 'input_required', inputRequests: { [id]: question } };
}

/** Answers are objects, by the keys of their questions. */
function findAnswersFault({ params }: Request): RpcError | undefined {
  const answers = findMember(params, 'inputResponses');
  if (answers === undefined || (isObject(answers) && Object.values(answers).every(isObject))) return undefined;
  return rpcError(rpcCode.invalidParams, '"inputResponses" must be an object of objects.');
}

function agreed(answers: JsonObject): boolean {
  return Object.values(answers).some((answer) => isObject(answer) && answer.action === 'accept');
}

/** Answers to our own questions do not go on to the server. */
function withoutAnswers(request: Request): Request {
  const hasAnswers = Object.hasOwn(request.params, 'inputResponses') || Object.hasOwn(request.params, 'requestState');
  if (!hasAnswers) return request;
  return { ...request, params: withoutMembers(request.params, ['inputResponses', 'requestState']) };
}

/** Codes that this revision forbids or has given another meaning. */
function toModernError(error: RpcError): RpcError {
  // An unknown tool is a wrong parameter here.
  if (error.code === rpcCode.methodNotFound || error.code === rpcCode.resourceNotFound)
    return { ...error, code: rpcCode.invalidParams };
  const reserved = error.code <= -32000 && error.code >= -32099;
  return reserved ? rpcError(rpcCode.internal, error.message, { original: error }) : error;
}
