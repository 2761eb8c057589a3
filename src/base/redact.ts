/** Keeps secrets out of everything we print: known values are replaced by the name they came from. */

export interface Redactor {
  /** From now on `value` is shown as `‹name›`. Values too short to be a secret are left alone. */
  learn(name: string, value: string): void;
  hide(text: string): string;
}

const shortestSecret = 6;
/** Shorter lines of a key stand in other texts, too. */
const shortestLine = 16;

export function createRedactor(): Redactor {
  const names = new Map<string, string>();
  let longestFirst: [string, string][] = [];
  return {
    learn(name, value) {
      if (value.length < shortestSecret) return;
      for (const spelling of spellings(value)) names.set(spelling, name);
      // A value that contains another must not be left half shown.
      longestFirst = [...names].sort(([a], [b]) => b.length - a.length);
    },
    hide(text) {
      let hidden = text;
      for (const [value, name] of longestFirst)
        if (hidden.includes(value)) hidden = hidden.replaceAll(value, `‹${name}›`);
      return hidden;
    },
  };
}

/** However a server prints it: as it is, inside JSON, or (a key, say) line by line. */
function spellings(value: string): string[] {
  const lines = value.split('\n').map((line) => line.trim());
  return [value, JSON.stringify(value).slice(1, -1), ...lines.filter((line) => line.length >= shortestLine)];
}
