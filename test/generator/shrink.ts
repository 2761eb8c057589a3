/** Finds a smaller run that fails as well: halves first, then single messages. */
export async function shrink<T>(
  messages: readonly T[],
  fails: (part: readonly T[]) => Promise<boolean>,
): Promise<readonly T[]> {
  let found = messages;
  for (let parts = 2; parts <= found.length; ) {
    const size = Math.ceil(found.length / parts);
    let smaller: readonly T[] | undefined;
    for (let start = 0; start < found.length && smaller === undefined; start += size) {
      const without = [...found.slice(0, start), ...found.slice(start + size)];
      if (without.length > 0 && (await fails(without))) smaller = without;
    }
    if (smaller !== undefined) {
      found = smaller;
      parts = 2;
    } else if (size === 1) break;
    else parts = Math.min(found.length, parts * 2);
  }
  return found;
}

/** A failing run as a text: its messages, each cut and with the end it had. */
export function show(messages: readonly Buffer[]): string {
  return messages
    .slice(0, 10)
    .map((bytes) => {
      const text = JSON.stringify(bytes.toString('latin1'));
      return text.length <= 1_500 ? text : `${text.slice(0, 1_000)} … ${text.slice(-300)} (${bytes.length} bytes)`;
    })
    .join('\n');
}
