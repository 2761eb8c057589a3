/** What a server may ask the client whose call it works on, and the answers. */
import { findMember, findObject, type JsonObject } from '../json/json.ts';
import { type RpcError, rpcCode, rpcError } from '../rpc/rpc.ts';

const methods = ['elicitation/create', 'sampling/createMessage', 'roots/list'] as const;
export type QuestionMethod = (typeof methods)[number];

export interface Question {
  readonly method: QuestionMethod;
  readonly params: JsonObject;
}

export type Answer = { readonly result: JsonObject } | { readonly error: RpcError };

export function isQuestionMethod(method: unknown): method is QuestionMethod {
  return methods.includes(method as QuestionMethod);
}

/** The capability that the client lacks to be asked this; undefined when it has it. */
export function findMissing(capabilities: JsonObject, { method, params }: Question): JsonObject | undefined {
  const needed = neededFor(method, params);
  return covers(capabilities, needed) ? undefined : needed;
}

function neededFor(method: QuestionMethod, params: JsonObject): JsonObject {
  switch (method) {
    case 'elicitation/create':
      return { elicitation: findMember(params, 'mode') === 'url' ? { url: {} } : { form: {} } };
    case 'sampling/createMessage':
      return { sampling: Object.hasOwn(params, 'tools') || Object.hasOwn(params, 'toolChoice') ? { tools: {} } : {} };
    case 'roots/list':
      return { roots: {} };
  }
}

/** Whether every required object is there, at every depth. */
function covers(given: JsonObject, needed: JsonObject): boolean {
  return Object.keys(needed).every((key) => {
    const found = findObject(given, key);
    return found !== undefined && covers(found, findObject(needed, key) ?? {});
  });
}

/** The error for a server that asks something the client does not offer. */
export function notDeclared({ method }: Question): RpcError {
  return rpcError(rpcCode.methodNotFound, `The client does not offer '${method}'.`);
}
