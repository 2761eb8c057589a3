/** Cuts a text to a number of bytes, between two characters and with a mark at the end. */

const sign = '…';

/** The same text when it is short enough. */
export function cutText(text: string, maxBytes: number): string {
  // A UTF-16 code unit takes at most three bytes.
  if (text.length * 3 <= maxBytes || Buffer.byteLength(text) <= maxBytes) return text;
  const bytes = Buffer.from(text);
  let end = maxBytes - Buffer.byteLength(sign);
  while (end > 0 && isInside(bytes[end])) end--;
  return `${bytes.toString('utf8', 0, end)}${sign}`;
}

/** Whether a byte continues a character that began before it. */
function isInside(byte = 0): boolean {
  return (byte & 0xc0) === 0x80;
}
