/** The text that a model reads before it sees any tool, within the limit of clients: 2,048 bytes, most useful first. */

import type { JsonObject } from '../../base/json/json.ts';
import { withoutHidden } from '../../base/text/hidden.ts';
import { cutText } from '../../catalog/cut.ts';
import type { Config, ToolboxDefinition } from '../../config/model/config.ts';
import { listLeftOutEntries } from '../../config/model/left-out.ts';

export const maxInstructionBytes = 2_048;
/** The share of them for what is left out: the rest is for what is there. */
const maxBytesLeftOut = 900;
/** Each of them is named before any is described in full. */
const maxBytesEach = 240;

export function metaInstructions(config: Config): string {
  return compose(
    'Tools are grouped into toolboxes. Call open_toolbox to see the tools of one, then use_tool to call them.',
    config,
    exampleCall(config),
  );
}

export function dynamicInstructions(config: Config): string {
  const after = 'Opening a toolbox adds its tools to your list as {toolbox}__{server}__{tool}; call them by that name.';
  return compose(
    'Tools are grouped into toolboxes. Call open_toolbox with the name of one to get its tools.',
    config,
    after,
  );
}

export function flatInstructions(config: Config): string {
  const servers = namesOf(config);
  const form = config.safeNames ? 'their server in front' : `the form {server}${config.separator}{tool}`;
  const own = `Tools of ${servers.length} servers, named in ${form}. Servers: ${servers.join(', ')}.`;
  const leftOut = leftOutText(config);
  return `${cutText(own, maxInstructionBytes - byteLength(leftOut))}${leftOut}`;
}

/** For a client that is told before it is known whether it will see all tools or the ones that find them. */
export function undecidedInstructions(config: Config): string {
  const servers = namesOf(config);
  const own = `Tools of ${servers.length} servers. If your list has search_tools, find tools with it and call them with use_tool; otherwise the list holds all tools. Servers: ${servers.join(', ')}.`;
  const leftOut = leftOutText(config);
  return `${cutText(own, maxInstructionBytes - byteLength(leftOut))}${leftOut}`;
}

function namesOf({ servers }: Config): string[] {
  return [...new Set([...servers.values()].filter(({ disabled }) => !disabled).map(({ name }) => name))];
}

/** A model must not look for tools that cannot come, and its person has to hear why. */
export function leftOutText({ leftOut }: Config): string {
  const items = leftOut === undefined ? [] : listLeftOutEntries(leftOut);
  if (items.length === 0) return '';
  const told = items.map(
    ({ what, code, message, fix }) => `\n${cutText(`- ${what} [${code}]: ${message}. ${fix}`, maxBytesEach)}`,
  );
  const text = `\nLeft out because of mistakes in the configuration; tell the user:${told.join('')}`;
  return cutText(text, maxBytesLeftOut);
}

function compose(intro: string, config: Config, after: string): string {
  const outro = `${after}${leftOutText(config)}`;
  const room = maxInstructionBytes - byteLength(`${intro}\nToolboxes:\n\n${outro}`);
  return `${intro}\nToolboxes:\n${fitToolboxes(config, room)}\n${outro}`;
}

function exampleCall({ toolboxes }: Config): string {
  const [toolbox] = toolboxes.values();
  const [first] = toolbox?.placements ?? [];
  const server = first?.instance?.of ?? first?.server ?? 'server';
  const example = { tool: { toolbox: toolbox?.name ?? 'toolbox', server, name: 'tool_name' }, arguments: {} };
  return `Example of use_tool: ${cutText(JSON.stringify(example), 300)}`;
}

/** One line per toolbox; long descriptions are cut first, then the last toolboxes are only counted. */
export function fitToolboxes({ toolboxes }: Pick<Config, 'toolboxes'>, room: number): string {
  const all = [...toolboxes.values()];
  for (const width of [600, 300, 160, 80, 40, 0]) {
    const text = all.map((toolbox) => toolboxLine(toolbox, width)).join('\n');
    if (byteLength(text) <= room) return text;
  }
  const lines: string[] = [];
  let left = room - 80;
  for (const toolbox of all) {
    const line = toolboxLine(toolbox, 0);
    left -= byteLength(line) + 1;
    if (left < 0) break;
    lines.push(line);
  }
  return [...lines, `… and ${all.length - lines.length} more: open_toolbox with any other name lists them all.`].join(
    '\n',
  );
}

function toolboxLine({ name, description, placements }: ToolboxDefinition, width: number): string {
  const count = `${placements.length} ${placements.length === 1 ? 'server' : 'servers'}`;
  const text = description.replace(/\s+/g, ' ').trim();
  return width === 0 || text === '' ? `- ${name} (${count})` : `- ${name} (${count}): ${cutText(text, width)}`;
}

export function byteLength(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

/**
 * What servers tell a model about themselves, by the name that each has here. The text is theirs, so it is always under their
 * name and always short.
 */
export function quoteInstructions(
  servers: readonly { readonly name: string; readonly instructions?: string | undefined }[],
): JsonObject {
  const said = servers.map(({ name, instructions = '' }) => [name, withoutHidden(instructions).trim()] as const);
  return Object.fromEntries(
    said.filter(([, text]) => text !== '').map(([name, text]) => [name, cutText(text, maxInstructionBytes)]),
  );
}

/**
 * Our own text, then that of the servers: every line of it is marked as quoted, so that no server can speak in the name of
 * another, and each server has a share of the space.
 */
export function withServerInstructions(own: string, said: JsonObject): string {
  const quotes = Object.entries(said).map(([server, text]) => ({
    head: `\n\nServer "${server}" says: `,
    text: String(text).replace(/\r\n|[\r\n\u2028\u2029\u0085\v\f]/g, '\n> '),
  }));
  let room = maxInstructionBytes - byteLength(own);
  // A server that needs less than its share leaves the rest to the others.
  const shares = new Map<string, string>();
  const shortestFirst = [...quotes].sort((a, b) => byteLength(a.text) - byteLength(b.text));
  shortestFirst.forEach(({ head, text }, at) => {
    const share = Math.floor(room / (quotes.length - at)) - byteLength(head);
    if (share < shortest) return;
    const quoted = `${head}${cutText(text, share)}`;
    room -= byteLength(quoted);
    shares.set(head, quoted);
  });
  return `${own}${quotes.map(({ head }) => shares.get(head) ?? '').join('')}`;
}

/** A shorter quote is useless. */
const shortest = 16;
