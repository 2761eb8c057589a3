/** What servers say of themselves to a model. Their words, not ours: always under their name, and never at length. */
import { withoutHidden } from '../base/hidden.ts';
import type { JsonObject } from '../base/json.ts';
import type { ServerStatus } from '../workbench/server-status.ts';
import { byteLength, cutBytes } from './instructions.ts';

const mostBytes = 2_048;

/** By the name that each server has here; only those that say something. */
export function quoteInstructions(
  servers: readonly { readonly name: string; readonly status: ServerStatus }[],
): JsonObject {
  const said = servers.map(({ name, status }) => [name, withoutHidden(status.instructions ?? '').trim()] as const);
  return Object.fromEntries(
    said.filter(([, text]) => text !== '').map(([name, text]) => [name, cutBytes(text, mostBytes)]),
  );
}

/** What clients pass on of the whole text. */
const mostBytesOfAll = 2_048;

/**
 * Our own text, then theirs: every line of it marked as quoted, so that no server can speak in the name of another, and to each a
 * share of the room, so that none takes it from the others.
 */
export function withServerInstructions(own: string, said: JsonObject): string {
  const quotes = Object.entries(said).map(([server, text]) => ({
    head: `\n\nServer "${server}" says: `,
    text: String(text).replace(/\r\n|[\r\n\u2028\u2029\u0085\v\f]/g, '\n> '),
  }));
  let room = mostBytesOfAll - byteLength(own);
  // Whoever needs less than a share leaves the rest to those who need more.
  const shares = new Map<string, string>();
  const shortestFirst = [...quotes].sort((a, b) => byteLength(a.text) - byteLength(b.text));
  shortestFirst.forEach(({ head, text }, at) => {
    const share = Math.floor(room / (quotes.length - at)) - byteLength(head);
    if (share < shortest) return;
    const quoted = `${head}${cutBytes(text, share)}`;
    room -= byteLength(quoted);
    shares.set(head, quoted);
  });
  return `${own}${quotes.map(({ head }) => shares.get(head) ?? '').join('')}`;
}

/** Less than this says nothing. */
const shortest = 16;
