/**
 * What a model reads first in mode `search`: how to find and call tools, and the inventory, within 2,048 bytes. Descriptions of the
 * configuration are shown as far as they fit; the words of servers only where there are few toolboxes, because each costs tokens in
 * every conversation.
 */
import { cutText } from '../../catalog/cut.ts';
import type { Toolbox } from '../../toolbox/toolbox.ts';
import type { WorkbenchView } from '../../workbench/view/workbench-view.ts';
import { describeToolbox } from './describe-toolbox.ts';
import { byteLength, leftOutText, maxInstructionBytes } from './instructions.ts';

const intro = 'Find tools with search_tools, call them with use_tool.';
/** With more toolboxes, what servers say about themselves is not repeated. */
const maxQuoted = 10;
const widths = [300, 160, 80, 40] as const;

export function searchInstructions(bench: WorkbenchView): string {
  const outro = leftOutText(bench.config);
  const head = `${intro}\nToolboxes with number of tools: `;
  return `${head}${fitInventory(bench, maxInstructionBytes - byteLength(`${head}${outro}`))}${outro}`;
}

function fitInventory(bench: WorkbenchView, room: number): string {
  const all = [...bench.snapshot.toolboxes.values()];
  const counts = all.map((toolbox) => countTools(bench, toolbox));
  const about = all.map((toolbox) => toAbout(bench, toolbox, all.length <= maxQuoted));
  if (about.some((text) => text !== '')) {
    for (const width of widths) {
      const lines = all.map(({ name }, at) => toLine(name, counts[at], cutText(about[at] ?? '', width)));
      const text = `\n${lines.join('\n')}`;
      if (byteLength(text) <= room) return text;
    }
  }
  return fitNames(
    all.map(({ name }, at) => (counts[at] === undefined ? name : `${name}:${counts[at]}`)),
    room,
  );
}

function toLine(name: string, count: number | undefined, about: string): string {
  return `- ${name}${count === undefined ? '' : ` (${count})`}${about === '' ? '' : `: ${about}`}`;
}

function fitNames(names: readonly string[], room: number): string {
  // Spaces alone, because they cost no token of their own.
  const whole = names.join(' ');
  if (byteLength(whole) <= room) return whole;
  const shown: string[] = [];
  let left = room - 30;
  for (const name of names) {
    left -= byteLength(name) + 1;
    if (left < 0) break;
    shown.push(name);
  }
  return `${shown.join(' ')} and ${names.length - shown.length} more`;
}

/** Undefined while a server of the toolbox was never heard. */
function countTools({ snapshot }: WorkbenchView, { placements, entries }: Toolbox): number | undefined {
  const isKnown = [...placements.values()].every(({ key }) => snapshot.catalog.has(key));
  return isKnown ? entries.tools.length : undefined;
}

function toAbout(bench: WorkbenchView, { name, description, placements }: Toolbox, quotes: boolean): string {
  const written = description.replace(/\s+/g, ' ').trim();
  if (written !== '' || !quotes) return written;
  const said = describeToolbox({ description: '', placements: placements.values() }, bench);
  return said === name || [...placements.values()].some(({ key }) => bench.statusOf(key).name === said) ? '' : said;
}
