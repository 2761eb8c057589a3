/**
 * The capabilities of a client that can be passed on to servers, in one spelling: kinds of elicitation are named, and
 * capabilities that would mean something else behind a gateway are left out.
 */
import { findMember, findObject, type JsonObject } from '../json/json.ts';
import { extensionKeys } from '../rpc/mcp.ts';

export function relayable(capabilities: JsonObject): JsonObject {
  const elicitation = findObject(capabilities, 'elicitation');
  const sampling = findObject(capabilities, 'sampling');
  const roots = findObject(capabilities, 'roots');
  const ui = findObject(findObject(capabilities, 'extensions') ?? {}, extensionKeys.ui);
  return {
    ...(elicitation === undefined ? {} : { elicitation: toModes(elicitation) }),
    // The context of "this server" or "all servers" would be that of everything behind the Workbench.
    ...(sampling === undefined ? {} : { sampling: pick(sampling, ['tools']) }),
    ...(roots === undefined ? {} : { roots: findMember(roots, 'listChanged') === true ? { listChanged: true } : {} }),
    ...(ui === undefined ? {} : { extensions: { [extensionKeys.ui]: ui } }),
  };
}

/** Without a mode the capability means forms, once the only mode. */
function toModes(elicitation: JsonObject): JsonObject {
  const modes = pick(elicitation, ['form', 'url']);
  return Object.keys(modes).length === 0 ? { form: {} } : modes;
}

function pick(object: JsonObject, keys: readonly string[]): JsonObject {
  const found = keys.map((key) => [key, findObject(object, key)] as const).filter(([, value]) => value !== undefined);
  return Object.fromEntries(found) as JsonObject;
}

/** Every capability that can be passed on: for a server that should list all it has, independent of the client that will call. */
export const allRelayable: JsonObject = {
  elicitation: { form: {}, url: {} },
  sampling: { tools: {} },
  roots: { listChanged: true },
  extensions: { [extensionKeys.ui]: { mimeTypes: ['text/html;profile=mcp-app'] } },
};
