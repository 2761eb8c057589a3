/**
 * Mode `search`: a constant list of tools that find, describe and use the tools of all servers. Nothing depends on what a client did
 * before, so any two requests may go to different processes.
 */

import type { Call, CallOutcome } from '../../base/call/call.ts';
import { TaskRefused } from '../../base/call/task.ts';
import { findMember } from '../../base/json/json.ts';
import { rpcCode, rpcError } from '../../base/rpc/rpc.ts';
import { quote } from '../../base/text/error-text.ts';
import { correctUseTool, toWanted, withCorrection } from '../calls/correction.ts';
import { callTool } from '../calls/forward-call.ts';
import { callReadResult, isReadResult } from '../calls/long-results.ts';
import type { ModeSession, SessionContext } from '../front.ts';
import { createClientLists } from '../lists/client-lists.ts';
import { findListedSchema } from '../lists/listed-tool.ts';
import { buildPagedList } from '../lists/paged-list.ts';
import { perSnapshot } from '../lists/per-snapshot.ts';
import { createPinnedTools } from '../lists/pinned-tools.ts';
import { createToolboxViews, findOnlyToolbox, startOnlyToolbox } from '../lists/toolbox-views.ts';
import { openToolboxName, useToolName } from '../model-text/meta-tools.ts';
import { searchInstructions } from '../model-text/search-instructions.ts';
import { describeToolsName, searchModeTools, searchToolsName } from '../model-text/search-tools.ts';
import { browseToolbox } from '../search/browse-toolbox.ts';
import { describeTools } from '../search/describe-tools.ts';
import { readToolText } from '../search/named-tool.ts';
import { suggestTools } from '../search/near-tools.ts';
import { searchTools } from '../search/search-tools.ts';
import { repairDocs, toToolDocs } from '../search/tool-docs.ts';
import { buildSessionParts } from './session-parts.ts';
import { useTool } from './use-tool.ts';

/** The list is on its way to the client by then. */
const preparingMs = 10;

export interface SearchModeOptions {
  /** Called when the list was given. */
  onListed(): void;
}

export function createSearchSession(context: SessionContext, { onListed }: SearchModeOptions): ModeSession {
  const { bench, clock } = context;
  const shelves = createToolboxViews(bench, (toolbox) => toolbox === findOnlyToolbox(bench)?.name);
  const pins = createPinnedTools(bench, () => searchModeTools(bench.config).map(({ name }) => String(name)));
  const tools = perSnapshot(bench, ({ config }) =>
    buildPagedList('tools', [...searchModeTools(config), ...pins.definitions()], config.pageSize),
  );
  const lists = createClientLists({
    bench,
    clock,
    isOfServers: (kind) => kind !== 'tools' || pins.entries().size > 0,
    current: (kind) => (kind === 'tools' ? tools() : shelves[kind].list()),
    ready: (kind) => (kind === 'tools' ? pins.ready() : startOnlyToolbox(bench)),
  });
  const own = new Map<unknown, (call: Call) => Promise<CallOutcome>>([
    [searchToolsName, (call) => searchTools(bench, call)],
    [describeToolsName, (call) => describeTools(bench, call)],
    [openToolboxName, (call) => browseToolbox(bench, call, shelves.describe)],
  ]);
  /** The index is read while the model thinks, so that its first search does not wait for it. */
  let cancelPreparing: (() => void) | undefined;
  const prepareSoon = () => {
    cancelPreparing ??= clock.after(preparingMs, () => void bench.search.ready([]).catch(() => {}));
  };
  return {
    ...buildSessionParts(context, shelves, lists),
    close() {
      cancelPreparing?.();
      lists.close();
    },
    async list(kind, cursor) {
      const page = await lists.list(kind, cursor);
      onListed();
      if (kind === 'tools') prepareSoon();
      return page;
    },
    get instructions() {
      return searchInstructions(bench);
    },
    async callTool(call) {
      const name = findMember(call.params, 'name');
      const run = own.get(name);
      if (run !== undefined && call.task?.wish !== undefined) throw new TaskRefused(String(name));
      if (run !== undefined) return run(call);
      if (isReadResult(bench, call)) return callReadResult(context, call);
      const pinned = pins.entries().get(String(name));
      if (pinned !== undefined) return callTool(context, pinned.address, call);
      return name === useToolName ? useFound(context, call) : refuseUnknown(context, String(name), call);
    },
    // Our own tools need no check beforehand.
    findInputSchema(name) {
      const pinned = pins.entries().get(name);
      return pinned && findListedSchema(bench, pinned);
    },
  };
}

function useFound(context: SessionContext, call: Call): Promise<CallOutcome> {
  const { bench } = context;
  return useTool(context, call, {
    readTool: (value) => readToolText(bench, value),
    describe: (entry) => toToolDocs(entry, repairDocs),
    correct: (tool, usual) => suggestTools(bench, tool, usual),
  });
}

/** Models tend to call a tool by its bare name: show them the call that works. */
function refuseUnknown({ bench }: SessionContext, name: string, call: Call): CallOutcome {
  const there = searchModeTools(bench.config).map((tool) => tool.name);
  const problem = `Unknown tool ${quote(name)}. There are these tools here: ${there.join(', ')}.`;
  const message = withCorrection(problem, correctUseTool(bench, toWanted(name, call.params)));
  return { error: rpcError(rpcCode.methodNotFound, message) };
}
