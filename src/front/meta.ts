/** Mode `meta`: a constant list of two tools, `open_toolbox` and `use_tool`. */
import type { Call, Outcome } from '../base/call.ts';
import { findMember } from '../base/json.ts';
import { rpcCode, rpcError } from '../base/rpc.ts';
import type { Bench } from '../workbench/bench.ts';
import type { FrontSession } from './front.ts';
import { metaInstructions } from './instructions.ts';
import { openToolboxName, openToolboxTool, useToolName, useToolTool } from './meta-tools.ts';
import { openToolbox } from './open-toolbox.ts';
import { buildToolList } from './tool-list.ts';
import { useTool } from './use-tool.ts';

export function createMetaSession(bench: Bench): FrontSession {
  const list = buildToolList([openToolboxTool(bench.config), useToolTool], bench.config.pageSize);
  return {
    instructions: metaInstructions(bench.config),
    listTools: async (cursor) => list.findPage(cursor),
    callTool: (call) => callMetaTool(bench, call),
    // Neither has anything to check beforehand.
    findInputSchema: () => undefined,
    // The two tools never change.
    onToolsChanged: () => () => {},
    close() {},
  };
}

export async function callMetaTool(bench: Bench, call: Call): Promise<Outcome> {
  const name = findMember(call.params, 'name');
  if (name === openToolboxName) return openToolbox(bench, call, { toDefinition: ({ tool }) => tool.definition });
  if (name === useToolName) return useTool(bench, call);
  return {
    error: rpcError(rpcCode.invalidParams, `Unknown tool '${String(name)}'. ${howToReach(bench, String(name))}`),
  };
}

/** Models tend to call a tool they saw in a toolbox by its bare name: show them the call that works. */
function howToReach(bench: Bench, name: string): string {
  for (const toolbox of bench.snapshot.toolboxes.values()) {
    const entry = toolbox.entries.find(({ address }) => address.name === name);
    if (entry !== undefined) return `Call use_tool with ${JSON.stringify({ tool: entry.address, arguments: {} })}.`;
  }
  return 'There are two tools here: open_toolbox and use_tool.';
}
