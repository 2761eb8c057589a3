/** What differs in the schemas that a client is shown from those of the servers, tool by tool. */

import { findObject } from '../../base/json/json.ts';
import { type JsonObject, type Toolbox, toPortableSchema } from '../../index.ts';

export interface ChangedTool {
  readonly server: string;
  readonly tool: string;
  readonly changes: ReturnType<typeof toPortableSchema>['changes'];
}

export interface SchemaChanges {
  readonly tools: number;
  readonly changed: readonly ChangedTool[];
}

export function findSchemaChanges(toolboxes: readonly Toolbox[]): SchemaChanges {
  const once = new Map<string, { server: string; tool: string; schema: JsonObject | undefined }>();
  for (const { entries } of toolboxes)
    for (const { address, tool } of entries) {
      const { server, name } = address;
      once.set(JSON.stringify([server, name]), { server, tool: name, schema: findObject(tool, 'inputSchema') });
    }
  const changed = [...once.values()].flatMap(({ server, tool, schema }) => {
    const changes = schema === undefined ? [] : toPortableSchema(schema).changes;
    return changes.length === 0 ? [] : [{ server, tool, changes }];
  });
  return { tools: once.size, changed };
}
