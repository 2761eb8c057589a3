/**
 * The address of a tool in one word, as the lines of a search show it: `server.tool` where the toolbox has the name of the server,
 * else `toolbox/server.tool`. Names of toolboxes and servers have neither `.` nor `/` in mode `search`, so the word can be read back
 * without a guess. A tool name with other than plain characters is in quotation marks.
 */
import type { Address } from '../../toolbox/toolbox.ts';

const plainName = /^[\p{L}\p{N}_./:@$+-]+$/u;

export function toAddressText({ toolbox, server, name }: Address): string {
  const place = toolbox === server ? server : `${toolbox}/${server}`;
  return `${place}.${plainName.test(name) ? name : JSON.stringify(name)}`;
}

/** The address that a text states, whether it exists or not; undefined when the text does not have this form. */
export function parseAddressText(text: string): Address | undefined {
  const dot = text.indexOf('.');
  const [first = '', second, ...rest] = text.slice(0, Math.max(dot, 0)).split('/');
  const server = second ?? first;
  const name = readName(text.slice(dot + 1));
  if (dot < 1 || rest.length > 0 || server === '' || first === '' || name === undefined) return undefined;
  return { toolbox: first, server, name };
}

function readName(text: string): string | undefined {
  if (!text.startsWith('"')) return text === '' ? undefined : text;
  try {
    const name: unknown = JSON.parse(text);
    return typeof name === 'string' && name !== '' ? name : undefined;
  } catch {
    return undefined;
  }
}
