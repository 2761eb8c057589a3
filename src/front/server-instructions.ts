/** What servers say of themselves to a model. Their words, not ours: always under their name, and never at length. */
import { withoutHidden } from '../base/hidden.ts';
import type { JsonObject } from '../base/json.ts';
import type { ServerStatus } from '../workbench/server-status.ts';
import { cutBytes } from './instructions.ts';

const mostBytes = 2_048;

/** By the name that each server has here; only those that say something. */
export function quoteInstructions(
  servers: readonly { readonly name: string; readonly status: ServerStatus }[],
): JsonObject {
  const said = servers.map(({ name, status }) => [name, withoutHidden(status.instructions ?? '').trim()] as const);
  return Object.fromEntries(
    said.filter(([, text]) => text !== '').map(([name, text]) => [name, cutBytes(text, mostBytes)]),
  );
}
