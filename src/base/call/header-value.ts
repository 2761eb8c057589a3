/**
 * Values of HTTP headers that mirror a part of the body (`Mcp-Name`, `Mcp-Param-*`): unchanged where a header can hold them,
 * otherwise base64 of the UTF-8 between two markers.
 */

const opening = '=?base64?';
const closing = '?=';

export function encodeHeaderValue(text: string): string {
  const plain = text !== '' && text === text.trim() && isVisibleAscii(text) && !isMarked(text);
  return plain ? text : `${opening}${Buffer.from(text, 'utf8').toString('base64')}${closing}`;
}

/** The text that a header stands for; undefined when the header is malformed. */
export function decodeHeaderValue(raw: string): string | undefined {
  if (!isMarked(raw)) return isVisibleAscii(raw) ? raw : undefined;
  const encoded = raw.slice(opening.length, -closing.length);
  const bytes = Buffer.from(encoded, 'base64');
  // Node skips characters that are not base64; a value that does not survive the round trip was malformed.
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

/** Includes spaces and tabs. */
function isVisibleAscii(text: string): boolean {
  return /^[\t\x20-\x7e]*$/.test(text);
}
