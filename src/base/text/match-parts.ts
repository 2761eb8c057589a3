/** Patterns with `*`, cut at it. Matching is linear: patterns come from people, texts from servers. */

/** Whether a text consists of these parts in this order, with anything between them. */
export function matchesParts(text: string, parts: readonly string[]): boolean {
  const [head = '', ...rest] = parts;
  if (rest.length === 0) return text === head;
  const tail = rest.pop() ?? '';
  if (!text.startsWith(head) || !text.endsWith(tail) || text.length < head.length + tail.length) return false;
  let at = head.length;
  const end = text.length - tail.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found < 0 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}
