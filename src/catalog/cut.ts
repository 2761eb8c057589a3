/** A text that takes no more than so many bytes: cut between two characters, with a sign that it was. */

const sign = '…';

/** The same text when it is short enough. */
export function cutText(text: string, maxBytes: number): string {
  // No character of a string takes more than three bytes.
  if (text.length * 3 <= maxBytes || Buffer.byteLength(text) <= maxBytes) return text;
  const bytes = Buffer.from(text);
  let end = maxBytes - Buffer.byteLength(sign);
  while (end > 0 && isInside(bytes[end])) end--;
  return `${bytes.toString('utf8', 0, end)}${sign}`;
}

/** Whether a byte goes on with a character that began before it. */
function isInside(byte = 0): boolean {
  return (byte & 0xc0) === 0x80;
}
