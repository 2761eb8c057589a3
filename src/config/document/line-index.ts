/** Lines and columns of many positions of one text, without scanning it again for each of them. */

export interface Spot {
  /** 1-based. */
  readonly line: number;
  /** 1-based, in the units that editors count. */
  readonly column: number;
}

/** The text is scanned when the first position is asked for: most files have no problems to report. */
export function createLineIndex(text: string): (offset: number) => Spot {
  let starts: number[] | undefined;
  return (offset) => {
    starts ??= findStarts(text);
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
}

function findStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}
