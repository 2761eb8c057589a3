/** Mode `meta`: a constant list of two tools, `open_toolbox` and `use_tool`; prompts of the toolboxes that were opened. */
import { quote } from '../base/brief.ts';
import type { Call, CallOutcome } from '../base/call.ts';
import { findMember, findObject } from '../base/json.ts';
import { rpcCode, rpcError } from '../base/rpc.ts';
import type { Bench } from '../workbench/bench.ts';
import { createClientLists } from './client-lists.ts';
import { correctOpenToolbox, correctUseTool, toWanted, withCorrection } from './correction.ts';
import { withDescriptions } from './describe-toolbox.ts';
import type { ConnectOptions, ModeSession, SessionContext } from './front.ts';
import { metaInstructions } from './instructions.ts';
import { openToolboxName, openToolboxTool, useToolName, useToolTool } from './meta-tools.ts';
import { type OpenOptions, openToolbox } from './open-toolbox.ts';
import { buildPagedList } from './paged-list.ts';
import { perSnapshot } from './per-snapshot.ts';
import { publicTool } from './public-uris.ts';
import { buildSessionParts } from './session-parts.ts';
import { createShelves, findOnlyToolbox, startOnlyToolbox } from './shelves.ts';
import { useTool } from './use-tool.ts';

export function createMetaSession(context: SessionContext, { constantLists }: ConnectOptions): ModeSession {
  const { bench, clock, opened } = context;
  const isOnly = (toolbox: string) => toolbox === findOnlyToolbox(bench)?.name;
  const shelves = createShelves(bench, (toolbox) => isOnly(toolbox) || (!constantLists && opened.has(toolbox)));
  const tools = perSnapshot(bench, ({ config }) =>
    buildPagedList('tools', [openToolboxTool(config), useToolTool], config.pageSize),
  );
  const lists = createClientLists({
    bench,
    clock,
    isOfServers: (kind) => kind !== 'tools',
    current: (kind) => (kind === 'tools' ? tools() : shelves[kind].list()),
    ready: (kind) => (kind === 'tools' ? Promise.resolve() : startOnlyToolbox(bench)),
  });
  return {
    ...buildSessionParts(context, shelves, lists),
    get instructions() {
      return metaInstructions(withDescriptions(bench));
    },
    callTool: (call) =>
      callMetaTool(context, call, {
        describeMore: shelves.describe,
        onOpened(toolbox) {
          opened.add(toolbox.name);
          lists.check();
        },
      }),
    // Neither needs a check beforehand.
    findInputSchema: () => undefined,
  };
}

export function callMetaTool(
  context: SessionContext,
  call: Call,
  options: Omit<OpenOptions, 'toDefinition'>,
): Promise<CallOutcome> {
  const { bench } = context;
  const name = findMember(call.params, 'name');
  if (name === useToolName) return useTool(context, call);
  if (name === openToolboxName)
    return openToolbox(bench, call, { ...options, toDefinition: (entry) => publicTool(bench, entry) });
  const problem = `Unknown tool ${quote(String(name))}. There are two tools here: open_toolbox and use_tool.`;
  const message = withCorrection(problem, howToReach(bench, String(name), call));
  return Promise.resolve({ error: rpcError(rpcCode.methodNotFound, message) });
}

/** Models tend to call a tool of a toolbox by its bare name, or the meta-tools by other names: show them the call that works. */
function howToReach(bench: Bench, name: string, { params }: Call): string | undefined {
  return /open_?toolbox$/i.test(name)
    ? correctOpenToolbox(bench, findObject(params, 'arguments') ?? {})
    : correctUseTool(bench, toWanted(name, params));
}
