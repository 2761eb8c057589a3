/** Mode `flat`: all tools of all servers side by side, under `{server}{separator}{tool}`. */

import type { Call, CallOutcome } from '../../base/call/call.ts';
import { findMember } from '../../base/json/json.ts';
import { rpcCode, rpcError } from '../../base/rpc/rpc.ts';
import { quote } from '../../base/text/error-text.ts';
import { findPublicEntry } from '../../toolbox/name-table.ts';
import { correctPublicCall, toWanted, withCorrection } from '../calls/correction.ts';
import { findPublic } from '../calls/find-entry.ts';
import { callTool } from '../calls/forward-call.ts';
import { callReadResult, isReadResult } from '../calls/long-results.ts';
import { errorResult, explain } from '../calls/tool-result.ts';
import type { ModeSession, SessionContext } from '../front.ts';
import { createClientLists } from '../lists/client-lists.ts';
import type { FlatView } from '../lists/flat-view.ts';
import { findListedSchema } from '../lists/listed-tool.ts';
import { flatInstructions, quoteInstructions, withServerInstructions } from '../model-text/instructions.ts';
import { buildSessionParts } from './session-parts.ts';

export interface FlatOptions {
  readonly view: FlatView;
  /** Called when a list was given. */
  onListed(): void;
}

export function createFlatSession(context: SessionContext, { view, onListed }: FlatOptions): ModeSession {
  const { bench, clock } = context;
  const lists = createClientLists({
    bench,
    clock,
    current: (kind) => view[kind].list(),
    ready: () => bench.listed(),
  });
  return {
    ...buildSessionParts(context, view, lists),
    async list(kind, cursor) {
      const page = await lists.list(kind, cursor);
      onListed();
      return page;
    },
    get instructions() {
      return withServerInstructions(flatInstructions(bench.config), quoteInstructions(bench.introductions()));
    },
    callTool(call) {
      const name = String(findMember(call.params, 'name'));
      const entry = findPublicEntry(view.tools.names(), name);
      if (entry === undefined && isReadResult(bench, call)) return callReadResult(context, call);
      return entry === undefined ? callUnknown(context, view, name, call) : callTool(context, entry.address, call);
    },
    findInputSchema(name) {
      const entry = findPublicEntry(view.tools.names(), name);
      return entry && findListedSchema(bench, entry);
    },
  };
}

/** The tool may belong to a server that is still starting. */
async function callUnknown(context: SessionContext, view: FlatView, name: string, call: Call): Promise<CallOutcome> {
  const { bench } = context;
  const found = await findPublic(bench, view.tools, name, call);
  if ('entry' in found) return callTool(context, found.entry.address, call);
  const { reason, message, code, fix } = found.missing;
  if (reason === 'collision') return { error: rpcError(rpcCode.methodNotFound, message) };
  if (reason === 'silent')
    return errorResult(code === undefined || fix === undefined ? message : explain(message, { code, fix }));
  const { separator } = bench.config;
  const at = name.indexOf(separator);
  const correct = (parts: { server?: string; name?: string } = {}) =>
    correctPublicCall(bench, { ...toWanted(name, call.params), ...parts }, view.tools.names().entries);
  if (at <= 0 || at + separator.length >= name.length) {
    const problem = `Invalid tool name ${quote(name)}. Expected format: {server}${separator}{tool}`;
    return { error: rpcError(rpcCode.invalidRequest, withCorrection(problem, correct())) };
  }
  const parts = { server: name.slice(0, at), name: name.slice(at + separator.length) };
  return { error: rpcError(rpcCode.methodNotFound, withCorrection(message, correct(parts))) };
}
