/** What the tools of one server want repeated in headers, as last listed. */
import { encodeHeaderValue } from '../../base/header-value.ts';
import { findMember, findObject, findString, isObject, type Json, type JsonObject } from '../../base/json.ts';
import { findParamHeaders, type ParamHeader } from '../../base/param-headers.ts';
import type { Heard } from '../../catalog/listing.ts';

export interface ToolHeaders {
  /** Takes what the tools want, when they are among what was read. */
  learn(heard: Heard): void;
  /** The headers of one `tools/call`. A value that is absent, null or not of a simple kind has none. */
  of(params: JsonObject): [string, string][];
}

export function createToolHeaders(): ToolHeaders {
  let known = new Map<string, readonly ParamHeader[]>();
  return {
    learn(heard) {
      const tools = heard.get('tools');
      if (tools === undefined) return;
      known = new Map(
        tools.items.map(({ name, definition }) => [
          name,
          findParamHeaders(findObject(definition, 'inputSchema') ?? {}),
        ]),
      );
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
