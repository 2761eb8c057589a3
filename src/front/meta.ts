/** Mode `meta`: a constant list of two tools, `open_toolbox` and `use_tool`. */
import type { Call, Outcome } from '../base/call.ts';
import { findMember } from '../base/json.ts';
import { rpcCode, rpcError } from '../base/rpc.ts';
import type { Workbench } from '../workbench/workbench.ts';
import type { FrontSession } from './front.ts';
import { metaInstructions } from './instructions.ts';
import { openToolboxName, openToolboxTool, useToolName, useToolTool } from './meta-tools.ts';
import { openToolbox } from './open-toolbox.ts';
import { buildToolList } from './tool-list.ts';
import { useTool } from './use-tool.ts';

export function createMetaSession(workbench: Workbench): FrontSession {
  const list = buildToolList([openToolboxTool(workbench.config), useToolTool], workbench.config.pageSize);
  return {
    instructions: metaInstructions(workbench.config),
    listTools: async (cursor) => list.findPage(cursor),
    callTool: (call) => callMetaTool(workbench, call),
    // The two tools never change.
    onToolsChanged: () => () => {},
    close() {},
  };
}

export async function callMetaTool(workbench: Workbench, call: Call): Promise<Outcome> {
  const name = findMember(call.params, 'name');
  if (name === openToolboxName)
    return openToolbox(workbench, call.params, { toDefinition: ({ tool }) => tool.definition });
  if (name === useToolName) return useTool(workbench, call);
  return {
    error: rpcError(rpcCode.invalidParams, `Unknown tool '${String(name)}'. ${howToReach(workbench, String(name))}`),
  };
}

/** Models tend to call a tool they saw in a toolbox by its bare name: show them the call that works. */
function howToReach(workbench: Workbench, name: string): string {
  for (const toolbox of workbench.snapshot.toolboxes.values()) {
    const entry = toolbox.entries.find(({ address }) => address.name === name);
    if (entry !== undefined) return `Call use_tool with ${JSON.stringify({ tool: entry.address, arguments: {} })}.`;
  }
  return 'There are two tools here: open_toolbox and use_tool.';
}
