/** A refusal with the call to make instead, as JSON that can be sent unchanged, after the description of the mistake. */

import { findMember, isObject, type JsonObject } from '../../base/json/json.ts';
import { maxTextLength, truncate } from '../../base/text/error-text.ts';
import type { NameTable } from '../../toolbox/name-table.ts';
import type { WorkbenchView } from '../../workbench/view/workbench-view.ts';
import { openToolboxName, useToolName } from '../model-text/meta-tools.ts';
import { findMeant, findMeantToolbox, readUseTool, type Wanted } from './correct-call.ts';

/** Longer calls are not repeated in full: their sender has them. */
const maxCallLength = 1_500;

/** The description of the mistake is cut first when both are too long. */
export function withCorrection(problem: string, correction: string | undefined): string {
  if (correction === undefined) return truncate(problem);
  const room = Math.max(150, maxTextLength - correction.length - 1);
  return `${problem.length > room ? `${problem.slice(0, room - 1)}…` : problem} ${correction}`;
}

/** For clients that have `use_tool`. Where no name is near, it says how to see what there is. */
export function correctUseTool(bench: WorkbenchView, wanted: Wanted): string | undefined {
  const tool = findMeant(bench, wanted);
  if (tool === undefined) return exampleOpening(bench, wanted.toolbox);
  return toSentence(`Call ${useToolName} with`, { tool: { ...tool } }, wanted.arguments);
}

export function correctUseToolInput(bench: WorkbenchView, input: JsonObject): string | undefined {
  return correctUseTool(bench, readUseTool(input));
}

export function correctOpenToolbox(bench: WorkbenchView, input: JsonObject): string | undefined {
  const toolbox = findMeantToolbox(bench, input);
  return toolbox === undefined ? exampleOpening(bench) : `Call ${openToolboxName} with ${JSON.stringify({ toolbox })}.`;
}

/** For clients that call tools by their public names. */
export function correctPublicCall(
  bench: WorkbenchView,
  wanted: Wanted,
  entries: NameTable['entries'],
): string | undefined {
  const meant = findMeant(bench, wanted);
  if (meant === undefined) return undefined;
  const same = [...entries].filter(
    ([, { address, item }]) => address.server === meant.server && item.shown === meant.name,
  );
  const [name] = same.find(([, { address }]) => address.toolbox === meant.toolbox) ?? same[0] ?? [];
  return name === undefined ? undefined : toSentence('Call', { name }, wanted.arguments);
}

/** What a call by some name means: `use_tool` by its input, any other by the name. */
export function toWanted(name: string, params: JsonObject): Wanted {
  const given = findMember(params, 'arguments');
  const input = isObject(given) ? given : {};
  const plain = name.toLowerCase().replace(/[^a-z]/g, '');
  return plain.endsWith('usetool') ? readUseTool(input) : { name, arguments: input };
}

function toSentence(verb: string, call: JsonObject, args: JsonObject): string {
  const whole = JSON.stringify({ ...call, arguments: args });
  if (whole.length <= maxCallLength) return `${verb} ${whole}.`;
  return `${verb} ${JSON.stringify(call)} and the same "arguments" as before, as an object.`;
}

function exampleOpening({ snapshot }: WorkbenchView, given?: string): string | undefined {
  const [first] = snapshot.toolboxes.keys();
  const toolbox = given !== undefined && snapshot.toolboxes.has(given) ? given : first;
  if (toolbox === undefined) return undefined;
  return `To see what there is, call ${openToolboxName} with ${JSON.stringify({ toolbox })}.`;
}
