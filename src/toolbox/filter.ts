/**
 * Tool filters: names to keep, with `*` for any characters; `!` in front leaves out and wins.
 * A list of exclusions only keeps everything else. Matching is linear: patterns come from people, names from servers.
 */

/** Made once for a list of filters, then asked for every name. */
export function buildFilter(filters: readonly string[]): (name: string) => boolean {
  const excluded = filters.filter((filter) => filter.startsWith('!')).map((filter) => toParts(filter.slice(1)));
  const kept = filters.filter((filter) => !filter.startsWith('!')).map(toParts);
  // Nearly every server, and every tool of a start is asked for.
  if (excluded.length === 0 && filters.includes('*')) return () => true;
  return (name) => {
    const matches = (parts: readonly string[]) => matchesParts(name, parts);
    if (excluded.some(matches)) return false;
    return kept.length === 0 ? excluded.length > 0 : kept.some(matches);
  };
}

export function matchesGlob(text: string, pattern: string): boolean {
  return matchesParts(text, toParts(pattern));
}

function toParts(pattern: string): string[] {
  return pattern.split('*');
}

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
