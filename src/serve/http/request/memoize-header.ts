/** What a header means, worked out once for each way to write it: clients send the same few with every request. */

/** Clients decide what is asked, so both are bounded: how many answers are kept, and for how long a text. */
const most = 32;
const longest = 200;

export function memoizeHeader<T>(decide: (text: string | undefined) => T): (text: string | undefined) => T {
  const known = new Map<string | undefined, T>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const decided = decide(text);
    if (text === undefined || text.length <= longest) {
      if (known.size >= most) known.clear();
      known.set(text, decided);
    }
    return decided;
  };
}
