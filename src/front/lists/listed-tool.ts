/** A tool as it is listed for a client: with public URIs, its schema in the form that the client takes, and marked where it is pinned. */
import { memoize } from '../../base/async/memoize.ts';
import { findObject, type JsonObject, withMembers } from '../../base/json/json.ts';
import { alwaysShownMeta } from '../../clients/client-table.ts';
import type { Config } from '../../config/model/config.ts';
import { toPortableSchema } from '../../toolbox/portable-schema.ts';
import type { Entry } from '../../toolbox/toolbox.ts';
import { publicTool } from '../uris/public-uris.ts';

export function listedTool(shown: { readonly config: Config }, entry: Entry): JsonObject {
  const definition = publicTool(shown, entry);
  if (entry.kind !== 'tools' || shown.config.schemas !== 'portable') return definition;
  const inputSchema = findListedSchema(shown, entry);
  return inputSchema === findObject(definition, 'inputSchema') ? definition : withMembers(definition, { inputSchema });
}

/** The input schema as the client is shown it. */
export function findListedSchema({ config }: { readonly config: Config }, { item }: Entry): JsonObject | undefined {
  const original = findObject(item.definition, 'inputSchema');
  return original === undefined || config.schemas !== 'portable' ? original : portableOf(original);
}

/** Each schema of a server is converted once, for all clients. */
const portableOf = memoize((original: JsonObject) => toPortableSchema(original).schema);

/** Clients that hide tools at first show this one. */
export function withPinMark(definition: JsonObject): JsonObject {
  return withMembers(definition, { _meta: { ...findObject(definition, '_meta'), ...alwaysShownMeta } });
}
