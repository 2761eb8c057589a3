/**
 * Values of HTTP headers that mirror a part of the body (`Mcp-Name`, `Mcp-Param-*`): as they are where a header can hold them,
 * else base64 of the UTF-8 between two markers.
 */

const opening = '=?base64?';
const closing = '?=';

export function encodeHeaderValue(text: string): string {
  const plain = text !== '' && text === text.trim() && isVisibleAscii(text) && !isMarked(text);
  return plain ? text : `${opening}${Buffer.from(text, 'utf8').toString('base64')}${closing}`;
}

/** The text a header stands for; undefined when it is malformed. */
export function decodeHeaderValue(raw: string): string | undefined {
  if (!isMarked(raw)) return isVisibleAscii(raw) ? raw : undefined;
  const encoded = raw.slice(opening.length, -closing.length);
  const bytes = Buffer.from(encoded, 'base64');
  // Node skips what is no base64; a value that does not come out the same was not well formed.
  if (bytes.toString('base64') !== encoded) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function isMarked(text: string): boolean {
  return text.length >= opening.length + closing.length && text.startsWith(opening) && text.endsWith(closing);
}

/** Spaces and tabs included. */
function isVisibleAscii(text: string): boolean {
  return /^[\t\x20-\x7e]*$/.test(text);
}
