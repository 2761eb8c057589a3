/** The answer to a tool of mode `search` that names a toolbox that does not exist. */
import type { CallOutcome } from '../../base/call/call.ts';
import { didYouMean } from '../../base/text/error-text.ts';
import { nearestNames } from '../../base/text/nearest.ts';
import { toUnknownToolbox } from '../../workbench/calls/resolve.ts';
import type { WorkbenchView } from '../../workbench/view/workbench-view.ts';
import { errorResult } from '../calls/tool-result.ts';

export function refuseUnknownToolbox({ snapshot }: WorkbenchView, toolbox: string): CallOutcome | undefined {
  if (snapshot.toolboxes.has(toolbox)) return undefined;
  const near = nearestNames(toolbox, snapshot.toolboxes.keys(), 3);
  const { message, fix } = toUnknownToolbox(snapshot, toolbox);
  return errorResult(`${message}.${didYouMean(near)} ${fix}`);
}
