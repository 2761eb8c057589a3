/** A front as clients over HTTP see it. */

import { withoutInvalidParamHeaders } from '../../../base/call/param-headers.ts';
import { findObject, isObject, type Json, withMembers } from '../../../base/json/json.ts';
import type { Front, FrontSession } from '../../../front/front.ts';
import { mapTools } from '../../edge/map-tools.ts';

const withValidAnnotations = mapTools(withValidAnnotation);

export function toHttpFront(front: Front): Front {
  return {
    ...front,
    forClient: (id) => toHttpFront(front.forClient(id)),
    connect: (client, options) => toHttpSession(front.connect(client, options)),
    findOwn(client) {
      const session = front.findOwn(client);
      return session && toHttpSession(session);
    },
  };
}

function toHttpSession(session: FrontSession): FrontSession {
  return {
    ...session,
    // What servers say of themselves is known only once they have been heard.
    get instructions() {
      return session.instructions;
    },
    async list(kind, cursor) {
      const page = await session.list(kind, cursor);
      return page === undefined ? undefined : withValidAnnotations(page);
    },
  };
}

function withValidAnnotation(tool: Json): Json {
  const schema = isObject(tool) ? findObject(tool, 'inputSchema') : undefined;
  if (!isObject(tool) || schema === undefined) return tool;
  const valid = withoutInvalidParamHeaders(schema);
  return valid === schema ? tool : withMembers(tool, { inputSchema: valid });
}
