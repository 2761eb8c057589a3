/**
 * Remembers which server has named which resource in an answer to one client. A model may pass on a URI that it read in a text,
 * without the label of its server; a server that has named the URI before is known to have it.
 */
const maxLinks = 5_000;

export interface SeenLinks {
  note(key: string, uri: string): void;
  /** Keys of the servers that have named it. */
  find(uri: string): string[];
}

export function createSeenLinks(): SeenLinks {
  const links = new Map<string, Set<string>>();
  return {
    note(key, uri) {
      const owners = links.get(uri) ?? new Set();
      // Moved to the end, so that the URI that was named longest ago is forgotten first.
      links.delete(uri);
      links.set(uri, owners.add(key));
      const [oldest] = links.keys();
      if (links.size > maxLinks && oldest !== undefined) links.delete(oldest);
    },
    find: (uri) => [...(links.get(uri) ?? [])],
  };
}
