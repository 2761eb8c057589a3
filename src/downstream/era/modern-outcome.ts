/** What a server of the stateless era answers to a call, without the era's own members. */
import { type CacheHint, readHint, uncacheable } from '../../base/call/cache-hint.ts';
import type { Call, CallOutcome, Outcome } from '../../base/call/call.ts';
import { findMember, findObject, isObject, type JsonObject } from '../../base/json/json.ts';
import type { RawJson } from '../../base/json/raw-json.ts';
import { isReservedKey } from '../../base/rpc/mcp.ts';
import { type RpcError, rpcCode, rpcError } from '../../base/rpc/rpc.ts';
import { toPrintable } from '../../base/text/printable.ts';
import { readQuestions, withCleanQuestions } from '../call/input-required.ts';

/** Results of a type that we never declared are not passed on. `who` names the server at the beginning of a sentence. */
export function toModernOutcome(outcome: Outcome, call: Call, who: string): CallOutcome {
  if ('error' in outcome) return { error: toError(outcome.error, call, who) };
  const { result } = outcome;
  const type = findMember(result.value, 'resultType') ?? 'complete';
  switch (type) {
    case 'complete':
      return {
        result: withoutEra(result),
        ...(call.method === 'resources/read' ? { hint: hintOf(result, call) } : {}),
      };
    case 'input_required': {
      const questions = readQuestions(result, call);
      if ('fault' in questions) return refused(`${who} asks for input against the rules: ${questions.fault}.`);
      return { inputRequired: withCleanQuestions(withoutEra(result), questions) };
    }
    default:
      return refused(
        `${who} answered with a result of type ${typeof type === 'string' ? `'${toPrintable(type, 60)}'` : typeof type}, which was not asked for.`,
      );
  }
}

function refused(message: string): CallOutcome {
  return { error: rpcError(rpcCode.internal, message) };
}

/** An answer to answered questions was made for them and is not kept. */
function hintOf({ value }: RawJson, call: Call): CacheHint {
  return call.resume?.round === undefined ? readHint(value) : uncacheable;
}

function withoutEra(result: RawJson): RawJson {
  const removed: Record<string, RawJson | undefined> = {};
  for (const key of ['resultType', 'ttlMs', 'cacheScope'])
    if (Object.hasOwn(result.value, key)) removed[key] = undefined;
  const meta = result.find('_meta');
  const ofEra = Object.keys(meta?.value ?? {}).filter(isReservedKey);
  if (meta !== undefined && ofEra.length > 0) {
    const empty = ofEra.length === Object.keys(meta.value).length;
    removed._meta = empty ? undefined : meta.with(Object.fromEntries(ofEra.map((key) => [key, undefined])));
  }
  return Object.keys(removed).length === 0 ? result : result.with(removed);
}

function toError(error: RpcError, { method, features }: Call, who: string): RpcError {
  const of = (message: string) => rpcError(rpcCode.internal, message, { original: error });
  switch (error.code) {
    case rpcCode.invalidParams:
      // This era has no code of its own for a resource that is not there.
      return method === 'resources/read' ? { ...error, code: rpcCode.resourceNotFound } : error;
    case rpcCode.missingCapability: {
      const required = findObject(findObject(error, 'data') ?? {}, 'requiredCapabilities');
      if (required === undefined) break;
      // We declared what the client declared, so this is what the client lacks; only its own era has words for that.
      if (features.takesQuestions) return error;
      return of(`${who} needs a client that offers ${nameCapabilities(required)}; this client does not.`);
    }
    case rpcCode.headerMismatch:
    case rpcCode.unsupportedVersion:
      break;
    default:
      return error;
  }
  return of(`${who} needs something the Workbench did not offer it: ${error.message}`);
}

/** In words such as `elicitation.url, sampling`. */
function nameCapabilities(required: JsonObject): string {
  const names = Object.entries(required).flatMap(([name, value]) => {
    const inner = isObject(value) ? Object.keys(value) : [];
    return inner.length === 0 ? [name] : inner.map((key) => `${name}.${key}`);
  });
  return names.length === 0 ? 'more' : toPrintable(names.join(', '), 200);
}
