/** URIs in what servers answer and define, as clients see them. Everything else keeps its bytes. */

import { memoize } from '../../base/async/memoize.ts';
import { findMember, findObject, findString, isObject, type Json, type JsonObject } from '../../base/json/json.ts';
import { type Edits, editValue } from '../../base/json/json-edit.ts';
import type { RawJson } from '../../base/json/raw-json.ts';
import { methodFacts } from '../../base/rpc/mcp.ts';
import type { Config } from '../../config/model/config.ts';
import { buildUriMap, type UriMap } from '../../toolbox/public-uri.ts';
import type { Entry } from '../../toolbox/toolbox.ts';

const mapOf = memoize(buildUriMap);

/** The map of public URIs of a front. Built once per configuration, because every answer needs it. */
export function uriMapOf({ config }: { readonly config: Config }): UriMap {
  return mapOf(config);
}

export type Wrap = (uri: string) => string;

/** For most results. */
const noEdits: Edits = new Map();

/** The result of a method; results that are not known to carry URIs stay as they are. */
export function withPublicUris(method: string, result: RawJson, wrap: Wrap): RawJson {
  const { urisIn } = methodFacts(method);
  if (urisIn === undefined) return result;
  return result.edit(listEdits(result.value, urisIn, (item) => itemEdits[urisIn](item, wrap)));
}

const itemEdits = { content: blockEdits, messages: messageEdits, contents: uriEdits };

function messageEdits(message: JsonObject, wrap: Wrap): Edits | undefined {
  const content = findObject(message, 'content');
  return under('content', content && blockEdits(content, wrap));
}

/** The definition of an entry with its URIs as clients see them. */
export function publicTool(shown: { readonly config: Config }, { item, key }: Entry): JsonObject {
  const { wrap } = uriMapOf(shown);
  return withPublicUi(item.definition, (uri) => wrap(key, uri));
}

/** The definition of a tool, which may name the resource that shows its results. */
export function withPublicUi(definition: JsonObject, wrap: Wrap): JsonObject {
  const meta = findObject(definition, '_meta');
  if (meta === undefined) return definition;
  const ui = findObject(meta, 'ui');
  const edits = new Map([
    ...(under('ui', ui && uriEdits(ui, wrap, 'resourceUri')) ?? []),
    ...(uriEdits(meta, wrap, 'ui/resourceUri') ?? []),
  ]);
  return edits.size === 0 ? definition : (editValue(definition, new Map([['_meta', edits]])) as JsonObject);
}

/** A link to a resource, or an embedded resource. */
function blockEdits(block: JsonObject, wrap: Wrap): Edits | undefined {
  const type = findMember(block, 'type');
  if (type === 'resource_link') return uriEdits(block, wrap);
  const resource = type === 'resource' ? findObject(block, 'resource') : undefined;
  return under('resource', resource && uriEdits(resource, wrap));
}

function uriEdits(object: JsonObject, wrap: Wrap, member = 'uri'): Edits | undefined {
  const uri = findString(object, member);
  const shown = uri === undefined ? undefined : wrap(uri);
  return shown === undefined || shown === uri ? undefined : new Map([[member, shown]]);
}

function under(member: string, edits: Edits | undefined): Edits | undefined {
  return edits && new Map([[member, edits]]);
}

function listEdits(value: JsonObject, member: string, toEdits: (item: JsonObject) => Edits | undefined): Edits {
  const list: Json | undefined = findMember(value, member);
  let edits: Map<number, Edits> | undefined;
  for (let index = 0; Array.isArray(list) && index < list.length; index++) {
    const item = list[index];
    const found = isObject(item) ? toEdits(item) : undefined;
    if (found !== undefined) edits = (edits ?? new Map()).set(index, found);
  }
  return edits === undefined ? noEdits : new Map([[member, edits]]);
}
