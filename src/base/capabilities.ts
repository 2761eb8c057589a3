/**
 * The capabilities of a client that can be passed on to the servers behind us, in one spelling: kinds of elicitation are named,
 * and what would mean something else behind a gateway is left out.
 */
import { findMember, findObject, type JsonObject } from './json.ts';
import { extensionKeys } from './mcp.ts';

export function relayable(capabilities: JsonObject): JsonObject {
  const elicitation = findObject(capabilities, 'elicitation');
  const sampling = findObject(capabilities, 'sampling');
  const roots = findObject(capabilities, 'roots');
  const ui = findObject(findObject(capabilities, 'extensions') ?? {}, extensionKeys.ui);
  return {
    ...(elicitation === undefined ? {} : { elicitation: toModes(elicitation) }),
    // Context of "this server" or "all servers" would be that of everything behind us.
    ...(sampling === undefined ? {} : { sampling: pick(sampling, ['tools']) }),
    ...(roots === undefined ? {} : { roots: findMember(roots, 'listChanged') === true ? { listChanged: true } : {} }),
    ...(ui === undefined ? {} : { extensions: { [extensionKeys.ui]: ui } }),
  };
}

/** Without a mode it means forms, the only mode there was once. */
function toModes(elicitation: JsonObject): JsonObject {
  const modes = pick(elicitation, ['form', 'url']);
  return Object.keys(modes).length === 0 ? { form: {} } : modes;
}

function pick(object: JsonObject, keys: readonly string[]): JsonObject {
  const found = keys.map((key) => [key, findObject(object, key)] as const).filter(([, value]) => value !== undefined);
  return Object.fromEntries(found) as JsonObject;
}

/** Everything that can be passed on: for a server that is to show all it has, whoever will call. */
export const allRelayable: JsonObject = {
  elicitation: { form: {}, url: {} },
  sampling: { tools: {} },
  roots: { listChanged: true },
  extensions: { [extensionKeys.ui]: { mimeTypes: ['text/html;profile=mcp-app'] } },
};
