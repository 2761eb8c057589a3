/** A front as clients over HTTP see it. */
import { findMember, findObject, isObject, type Json, withMembers } from '../../base/json.ts';
import { withoutInvalidParamHeaders } from '../../base/param-headers.ts';
import type { Payload } from '../../base/payload.ts';
import type { Front, FrontSession } from '../../front/front.ts';

/** Log messages that belong to no call are left out: with several clients they could be anybody's. */
export function toHttpFront(front: Front): Front {
  const lists = new WeakMap<Payload, Payload>();
  const toShown = (page: Payload): Payload => {
    let shown = lists.get(page);
    if (shown === undefined) {
      shown = withValidAnnotations(page);
      lists.set(page, shown);
    }
    return shown;
  };
  return {
    ...front,
    connect(client, options) {
      const session = front.connect(client, options);
      const shown: FrontSession = {
        ...session,
        // What servers say of themselves is known only once they have been heard.
        get instructions() {
          return session.instructions;
        },
        async list(kind, cursor) {
          const page = await session.list(kind, cursor);
          return page === undefined ? undefined : toShown(page);
        },
      };
      return shown;
    },
    setLogLevel() {},
    onServerLog: () => () => {},
  };
}

function withValidAnnotations(page: Payload): Payload {
  const tools = findMember(page.value, 'tools');
  if (!Array.isArray(tools) || !page.text.includes('"x-mcp-header"')) return page;
  return page.with({ tools: tools.map(withValidAnnotation) });
}

function withValidAnnotation(tool: Json): Json {
  const schema = isObject(tool) ? findObject(tool, 'inputSchema') : undefined;
  if (!isObject(tool) || schema === undefined) return tool;
  const valid = withoutInvalidParamHeaders(schema);
  return valid === schema ? tool : withMembers(tool, { inputSchema: valid });
}
