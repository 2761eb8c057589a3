/** Our failures as tool results: text a model can act on, with `isError` set. */

import type { Outcome } from '../../base/call/call.ts';
import type { ErrorCode, WorkbenchError } from '../../base/errors/errors.ts';
import type { JsonObject } from '../../base/json/json.ts';
import { RawJson } from '../../base/json/raw-json.ts';
import { maxTextLength } from '../../base/text/error-text.ts';
import type { Address } from '../../toolbox/toolbox.ts';
import type { ServerStatus } from '../../workbench/reports/server-status.ts';

export function errorResult(text: string, meta?: JsonObject): Outcome {
  const result: JsonObject = { content: [{ type: 'text', text }], isError: true };
  return { result: RawJson.of(meta === undefined ? result : { ...result, _meta: meta }) };
}

/** A text for the model, with the same as a value where there is one. */
export function textResult(text: string, structuredContent?: JsonObject): Outcome {
  const content = [{ type: 'text', text }];
  return { result: RawJson.of(structuredContent === undefined ? { content } : { content, structuredContent }) };
}

/** A value as JSON text and as structured content, both the same. */
export function structuredResult(value: JsonObject): Outcome {
  return { result: RawJson.of({ content: [{ type: 'text', text: JSON.stringify(value) }], structuredContent: value }) };
}

/** Failures of a call that had already reached its server, or of a part of the address: their message is complete. */
const plain: readonly ErrorCode[] = [
  'WB1010',
  'WB1011',
  'WB1012',
  'WB1024',
  'WB1317',
  'WB1801',
  'WB1802',
  'WB1803',
  'WB1845',
  'WB1848',
  'WB1999',
];

/** A part of the address names something that does not exist. */
export function isAboutAddress({ code }: WorkbenchError): boolean {
  return code === 'WB1801' || code === 'WB1802' || code === 'WB1803';
}

/** The message for a call that did not get to its tool, or was lost on the way. */
export function describeFailure(
  error: WorkbenchError,
  { toolbox, server }: Pick<Address, 'toolbox' | 'server'>,
): string {
  const text = toCause(error, `server '${server}' in toolbox '${toolbox}'`);
  return explain(withStop(text), error);
}

/** What happened to a server; a connected server has not failed to connect. */
export function toCause({ code, message }: Pick<WorkbenchError, 'code' | 'message'>, server: string): string {
  return plain.includes(code) ? message : `Failed to connect to ${server}: ${message}`;
}

/** What happened, what to do about it, and the code; the first part is cut when it is too long. */
export function explain(text: string, { fix, code }: { readonly fix: string; readonly code: ErrorCode }): string {
  const tail = ` ${fix} [${code}]`;
  const room = Math.max(100, maxTextLength - tail.length);
  return `${text.length > room ? `${text.slice(0, room - 1)}…` : text}${tail}`;
}

/** Why the tools of a server are not in its toolbox. */
export function explainMissing({ state, failure }: Pick<ServerStatus, 'state' | 'failure'>): string {
  if (failure !== undefined)
    return explain(withStop(failure.message), { code: failure.code, fix: withStop(failure.fix) });
  return state === 'disabled' ? 'disabled in the configuration' : 'still starting; open the toolbox again in a moment';
}

export function withStop(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
