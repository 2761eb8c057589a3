/** A tool that a call names by the address of a line instead of its three parts: taken when exactly that tool exists. */
import type { Json } from '../../base/json/json.ts';
import { type Address, findEntry } from '../../toolbox/toolbox.ts';
import type { WorkbenchView } from '../../workbench/view/workbench-view.ts';
import { parseAddressText } from './tool-address.ts';

export function readToolText({ snapshot }: WorkbenchView, value: Json | undefined): Address | undefined {
  const address = typeof value === 'string' ? parseAddressText(value) : undefined;
  if (address === undefined) return undefined;
  const toolbox = snapshot.toolboxes.get(address.toolbox);
  return toolbox !== undefined && findEntry(toolbox, 'tools', address) !== undefined ? address : undefined;
}
