/** Mode `flat`: all tools of all servers side by side, under `{server}{separator}{tool}`. */
import { quote } from '../base/brief.ts';
import type { Call, CallOutcome } from '../base/call.ts';
import { findMember, findObject } from '../base/json.ts';
import { rpcCode, rpcError } from '../base/rpc.ts';
import { createClientLists } from './client-lists.ts';
import { correctPublicCall, toWanted, withCorrection } from './correction.ts';
import { forwardTool } from './deliver.ts';
import { findPublic } from './find-entry.ts';
import type { FlatView } from './flat-view.ts';
import type { ModeSession, SessionContext } from './front.ts';
import { flatInstructions, quoteInstructions, withServerInstructions } from './instructions.ts';
import { buildSessionParts } from './session-parts.ts';
import { errorResult, explain } from './tool-result.ts';

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
      const servers = bench.servers().map((status) => ({ name: status.name, status }));
      return withServerInstructions(flatInstructions(bench.config), quoteInstructions(servers));
    },
    callTool(call) {
      const name = String(findMember(call.params, 'name'));
      const entry = view.tools.names().entries.get(name);
      return entry === undefined ? callUnknown(context, view, name, call) : forwardTool(context, entry.address, call);
    },
    findInputSchema: (name) => findObject(view.tools.names().entries.get(name)?.item.definition ?? {}, 'inputSchema'),
  };
}

/** The tool may belong to a server that is still starting. */
async function callUnknown(context: SessionContext, view: FlatView, name: string, call: Call): Promise<CallOutcome> {
  const { bench } = context;
  const found = await findPublic(bench, view.tools, name, call);
  if ('entry' in found) return forwardTool(context, found.entry.address, call);
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
