/** Mode `flat`: all tools of all servers side by side, under `{server}{separator}{tool}`. */
import { didYouMean, quote } from '../base/brief.ts';
import type { Call, CallOutcome } from '../base/call.ts';
import type { Clock } from '../base/clock.ts';
import type { Later } from '../base/eventual.ts';
import { findMember, findObject } from '../base/json.ts';
import { nearestFirst } from '../base/nearest.ts';
import { rpcCode, rpcError } from '../base/rpc.ts';
import { describeCollision, type NameTable } from '../toolbox/name-table.ts';
import type { Bench } from '../workbench/bench.ts';
import type { ServerStatus } from '../workbench/server-status.ts';
import { createClientLists } from './client-lists.ts';
import { correctPublicCall, toWanted, withCorrection } from './correction.ts';
import { forwardTool } from './deliver.ts';
import type { FlatView } from './flat-view.ts';
import type { FrontSession } from './front.ts';
import { flatInstructions } from './instructions.ts';
import { quoteInstructions, withServerInstructions } from './server-instructions.ts';
import { buildSessionParts } from './session-parts.ts';
import { errorResult, explain, toCause } from './tool-result.ts';

export interface FlatOptions {
  readonly clock: Clock;
  /** A list was given. */
  onListed(): void;
}

export function createFlatSession(bench: Bench, view: FlatView, { clock, onListed }: FlatOptions): FrontSession {
  const lists = createClientLists({
    bench,
    clock,
    current: (kind) => view[kind].list(),
    ready: () => bench.listed(),
  });
  return {
    ...buildSessionParts(bench, view, lists),
    async list(kind, cursor) {
      const page = await lists.list(kind, cursor);
      onListed();
      return page;
    },
    get instructions() {
      const servers = bench.servers().map((status) => ({ name: status.name, status }));
      return withServerInstructions(flatInstructions(bench.config), quoteInstructions(servers));
    },
    callTool: (call) => callFlat(bench, view, call),
    findInputSchema: (name) => findObject(view.tools.names().entries.get(name)?.item.definition ?? {}, 'inputSchema'),
  };
}

function callFlat(bench: Bench, view: FlatView, call: Call): Later<CallOutcome> {
  const name = String(findMember(call.params, 'name'));
  const entry = view.tools.names().entries.get(name);
  return entry === undefined ? callUnknown(bench, view, name, call) : forwardTool(bench, entry.address, call);
}

/** The tool may belong to a server that is still on its way up. */
async function callUnknown(bench: Bench, view: FlatView, name: string, call: Call): Promise<CallOutcome> {
  await startAgain(bench, view, name, call);
  await untilKnown(bench, view, name);
  const entry = view.tools.names().entries.get(name);
  if (entry !== undefined) return forwardTool(bench, entry.address, call);
  for (const { key } of waitingServers(bench, view, name)) await bench.askSignIn(key, call);
  return explainUnknown(bench, view, name, call);
}

/** Waits for the servers that are starting, but not for others than the one that has the tool. */
async function untilKnown(bench: Bench, view: FlatView, name: string): Promise<void> {
  let stop = () => {};
  const known = new Promise<void>((resolve) => {
    stop = bench.onChanged(() => {
      if (view.tools.names().entries.has(name)) resolve();
    });
  });
  await Promise.race([bench.settled(), known]).finally(() => stop());
}

/** A server that waited for a sign-in can be had as soon as there was one. */
async function startAgain(bench: Bench, view: FlatView, name: string, call: Call): Promise<void> {
  const keys = waitingServers(bench, view, name).map(({ key }) => key);
  await Promise.all(keys.map((key) => bench.afterSignIn(key, call)));
  if (keys.length > 0) bench.startAll(keys);
}

/** The servers this name may belong to whose tools are unknown for want of a sign-in. */
function waitingServers(bench: Bench, view: FlatView, name: string): ServerStatus[] {
  const owners = view.tools.findOwners(name).map((key) => bench.statusOf(key));
  return owners.filter(({ failure }) => failure?.code === 'WB1201');
}

/** The lookup has decided; the parse only says why it failed. */
function explainUnknown(bench: Bench, view: FlatView, name: string, { params }: Call): CallOutcome {
  const owners = view.tools.names().collisions.get(name);
  if (owners !== undefined) return { error: rpcError(rpcCode.methodNotFound, describeCollision(name, owners)) };
  const { separator } = bench.config;
  const at = name.indexOf(separator);
  const correct = (parts: { server?: string; name?: string } = {}) =>
    correctPublicCall(bench, { ...toWanted(name, params), ...parts }, view.tools.names().entries);
  if (at <= 0 || at + separator.length >= name.length) {
    const problem = `Invalid tool name ${quote(name)}. Expected format: {server}${separator}{tool}`;
    return { error: rpcError(rpcCode.invalidRequest, withCorrection(problem, correct())) };
  }
  const failed = findFailedServer(bench, name.slice(0, at));
  if (failed !== undefined) return errorResult(failed);
  const asked = { server: name.slice(0, at), name: name.slice(at + separator.length) };
  const problem = unknownTool(name, asked.server, view.tools.names().entries);
  return { error: rpcError(rpcCode.methodNotFound, withCorrection(problem, correct(asked))) };
}

/** A tool cannot be known when its server never came up: then that is what to say. */
function findFailedServer(bench: Bench, server: string): string | undefined {
  const status = bench.servers().find(({ name, tools }) => name === server && tools === undefined);
  if (status?.failure !== undefined) return explain(toCause(status.failure, `server '${server}'`), status.failure);
  if (status?.state === 'starting') return `Server '${server}' is still starting. Try again in a moment.`;
  return status?.state === 'disabled' ? `Server '${server}' is disabled in the configuration.` : undefined;
}

function unknownTool(name: string, server: string, entries: NameTable['entries']): string {
  const own = [...entries].filter(([, { address }]) => address.server === server).map(([known]) => known);
  return `Unknown tool ${quote(name)}.${didYouMean(nearestFirst(name, own, entries.keys()))}`;
}
