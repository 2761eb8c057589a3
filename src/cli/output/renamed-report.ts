/** What the configuration changes about tools, as `tools --renamed` shows it: for each change the line to remove to undo it. */
import { type ReshapedTool, type ToolChange, toPrintable } from '../../index.ts';
import type { View } from '../run/view.ts';
import type { Output } from './output.ts';
import { toTable } from './table.ts';

type Renamed = Pick<View, 'reshaped' | 'hiddenTools' | 'shapeProblems'>;

export function showRenamed(output: Output, { reshaped, hiddenTools, shapeProblems }: Renamed, json: boolean): void {
  if (json) {
    output.json({ schemaVersion: 1, renamed: reshaped, hidden: hiddenTools, problems: shapeProblems });
    return;
  }
  const rows = [
    ...reshaped.flatMap((tool) =>
      tool.changes.map((change) => [toName(tool.address), toText(tool, change), change.path]),
    ),
    ...hiddenTools.map(({ address, path }) => [toName(address), 'hidden', path]),
  ];
  if (rows.length === 0) output.line('The configuration does not change how tools are shown.');
  else for (const line of toLines(output, rows)) output.line(line);
  for (const { code, message } of shapeProblems)
    output.line(`${output.paint.yellow('!')} ${toPrintable(message, 1_000)}  ${output.paint.dim(code)}`);
}

function toLines({ width }: Output, rows: readonly (readonly string[])[]): string[] {
  return toTable({
    width,
    columns: [
      { title: 'TOOL', flexible: true },
      { title: 'CHANGE', flexible: true },
      { title: 'IN THE CONFIGURATION' },
    ],
    rows: rows.map((cells) => ({
      mark: ' ',
      paintMark: (mark) => mark,
      cells: cells.map((cell) => toPrintable(cell, 300)),
    })),
  });
}

function toName({ toolbox, server, name }: ReshapedTool['address']): string {
  return toolbox === server ? `${server}.${name}` : `${toolbox}/${server}/${name}`;
}

function toText({ own }: ReshapedTool, { what, argument, how, detail }: ToolChange): string {
  if (what === 'name') return `renamed from ${own}`;
  if (what !== 'argument') return detail === undefined || detail === '' ? `other ${what}` : `${what}: ${detail}`;
  switch (how) {
    case 'fixed':
      return `${argument} is always ${detail}`;
    case 'default':
      return `${argument} is ${detail} unless set`;
    case 'hidden':
      return `${argument} is never sent`;
    default:
      return `other description of ${argument}`;
  }
}
