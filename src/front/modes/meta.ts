/** Mode `meta`: a constant list of two tools, `open_toolbox` and `use_tool`; prompts of the toolboxes that were opened. */

import type { Call, CallOutcome } from '../../base/call/call.ts';
import { findMember, findObject } from '../../base/json/json.ts';
import { rpcCode, rpcError } from '../../base/rpc/rpc.ts';
import { quote } from '../../base/text/error-text.ts';
import type { WorkbenchView } from '../../workbench/view/workbench-view.ts';
import { correctOpenToolbox, correctUseTool, toWanted, withCorrection } from '../calls/correction.ts';
import { callReadResult, isReadResult } from '../calls/long-results.ts';
import type { FrontConnectOptions, ModeSession, SessionContext } from '../front.ts';
import { createClientLists } from '../lists/client-lists.ts';
import { buildPagedList } from '../lists/paged-list.ts';
import { perSnapshot } from '../lists/per-snapshot.ts';
import { createToolboxViews, findOnlyToolbox, startOnlyToolbox } from '../lists/toolbox-views.ts';
import { withDescriptions } from '../model-text/describe-toolbox.ts';
import { metaInstructions } from '../model-text/instructions.ts';
import { openToolboxName, openToolboxTool, useToolName, useToolTool } from '../model-text/meta-tools.ts';
import { resultTools } from '../model-text/read-result-tool.ts';
import { publicTool } from '../uris/public-uris.ts';
import { type OpenOptions, openToolbox } from './open-toolbox.ts';
import { buildSessionParts } from './session-parts.ts';
import { useTool } from './use-tool.ts';

export function createMetaSession(context: SessionContext, { constantLists }: FrontConnectOptions): ModeSession {
  const { bench, clock, opened } = context;
  const isOnly = (toolbox: string) => toolbox === findOnlyToolbox(bench)?.name;
  const shelves = createToolboxViews(bench, (toolbox) => isOnly(toolbox) || (!constantLists && opened.has(toolbox)));
  const tools = perSnapshot(bench, ({ config }) =>
    buildPagedList('tools', [openToolboxTool(config), useToolTool, ...resultTools(config)], config.pageSize),
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
  if (isReadResult(bench, call)) return callReadResult(context, call);
  const problem = `Unknown tool ${quote(String(name))}. There are two tools here: open_toolbox and use_tool.`;
  const message = withCorrection(problem, howToReach(bench, String(name), call));
  return Promise.resolve({ error: rpcError(rpcCode.methodNotFound, message) });
}

/** Models tend to call a tool of a toolbox by its bare name, or the meta-tools by other names: show them the call that works. */
function howToReach(bench: WorkbenchView, name: string, { params }: Call): string | undefined {
  return /open_?toolbox$/i.test(name)
    ? correctOpenToolbox(bench, findObject(params, 'arguments') ?? {})
    : correctUseTool(bench, toWanted(name, params));
}
