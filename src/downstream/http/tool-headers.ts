/** Which arguments the tools of one server want repeated in headers, as last listed. */
import { encodeHeaderValue } from '../../base/call/header-value.ts';
import { findParamHeaders, hasInvalidParamHeaders, type ParamHeader } from '../../base/call/param-headers.ts';
import { findMember, findObject, findString, isObject, type Json, type JsonObject } from '../../base/json/json.ts';
import type { Item, ListProblem } from '../../catalog/item.ts';
import type { Heard } from '../../catalog/listing.ts';

export interface ToolHeaders {
  /** Gives what was read without the tools that break the rules for headers: the protocol forbids using them over HTTP. */
  learn(heard: Heard): Heard;
  /** The headers of one `tools/call`. A value that is absent, null or not of a simple kind has none. */
  of(params: JsonObject): [string, string][];
}

export function createToolHeaders(): ToolHeaders {
  let known = new Map<string, readonly ParamHeader[]>();
  return {
    learn(heard) {
      const tools = heard.get('tools');
      if (tools === undefined) return heard;
      const faulty = tools.items.filter((tool) => hasInvalidParamHeaders(schemaOf(tool)));
      const usable = tools.items.filter((tool) => !faulty.includes(tool));
      known = new Map(usable.map((tool) => [tool.name, findParamHeaders(schemaOf(tool))]));
      const said = faulty.map(({ shown }): ListProblem => {
        return { code: 'WB1015', message: `tool '${shown}' is left out: an "x-mcp-header" in it breaks the rules` };
      });
      return new Map(heard).set('tools', { ...tools, items: usable, problems: [...tools.problems, ...said] });
    },
    of(params) {
      const headers = known.get(findString(params, 'name') ?? '') ?? [];
      const args = findObject(params, 'arguments') ?? {};
      return headers.flatMap(({ header, path }): [string, string][] => {
        const value = toText(findAt(args, path));
        return value === undefined ? [] : [[header, encodeHeaderValue(value)]];
      });
    },
  };
}

function schemaOf({ definition }: Item): JsonObject {
  return findObject(definition, 'inputSchema') ?? {};
}

function findAt(args: JsonObject, path: readonly string[]): Json | undefined {
  let value: Json | undefined = args;
  for (const key of path) value = isObject(value) ? findMember(value, key) : undefined;
  return value;
}

/** An integer that JSON cannot hold exactly would not compare equal on the other side. */
function toText(value: Json | undefined): string | undefined {
  if (typeof value === 'number')
    return Number.isInteger(value) && !Number.isSafeInteger(value) ? undefined : String(value);
  return typeof value === 'string' || typeof value === 'boolean' ? String(value) : undefined;
}
