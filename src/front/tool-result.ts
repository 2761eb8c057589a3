/** Our failures as tool results: text a model can act on, with `isError` set. */
import { longestText } from '../base/brief.ts';
import type { Outcome } from '../base/call.ts';
import type { ErrorCode, WorkbenchError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import { Payload } from '../base/payload.ts';
import type { Address } from '../toolbox/toolbox.ts';

export function errorResult(text: string, meta?: JsonObject): Outcome {
  const result: JsonObject = { content: [{ type: 'text', text }], isError: true };
  return { result: Payload.of(meta === undefined ? result : { ...result, _meta: meta }) };
}

/** A value as JSON text and as structured content, both the same. */
export function structuredResult(value: JsonObject): Outcome {
  return { result: Payload.of({ content: [{ type: 'text', text: JSON.stringify(value) }], structuredContent: value }) };
}

/** Failures that struck a call which had already reached its server, or a part of the address: their message says it all. */
const plain: readonly ErrorCode[] = ['WB1010', 'WB1011', 'WB1012', 'WB1317', 'WB1801', 'WB1802', 'WB1803', 'WB1999'];

/** What to say when a call did not get to its tool, or got lost on the way. */
export function describeFailure(
  error: WorkbenchError,
  { toolbox, server }: Pick<Address, 'toolbox' | 'server'>,
): string {
  const text = plain.includes(error.code)
    ? error.message
    : `Failed to connect to server '${server}' in toolbox '${toolbox}': ${error.message}`;
  return explain(withStop(text), { code: error.code, fix: withStop(error.fix) });
}

/** What happened, what to do about it, and the code; what happened gives way when it is too long. */
export function explain(text: string, { fix, code }: { readonly fix: string; readonly code: ErrorCode }): string {
  const tail = ` ${fix} [${code}]`;
  const room = Math.max(100, longestText - tail.length);
  return `${text.length > room ? `${text.slice(0, room - 1)}…` : text}${tail}`;
}

function withStop(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
