/** "Did you mean": the names closest to one that was not found, best first. */

export function nearestNames(name: string, candidates: Iterable<string>, most = 3): string[] {
  const wanted = name.toLowerCase();
  const scored: { candidate: string; score: number }[] = [];
  for (const candidate of candidates) {
    const other = candidate.toLowerCase();
    const contained = other.includes(wanted) || wanted.includes(other);
    const bound = Math.max(1, Math.floor(Math.max(wanted.length, other.length) / 3));
    // Most names are too long or too short to be near, and comparing lengths is far cheaper than the distance.
    const apart = Math.abs(Math.min(wanted.length, 64) - Math.min(other.length, 64));
    if (!contained && apart > bound) continue;
    const distance = editDistance(wanted.slice(0, 64), other.slice(0, 64));
    if (contained || distance <= bound) scored.push({ candidate, score: contained ? Math.min(distance, 1) : distance });
  }
  scored.sort((a, b) => a.score - b.score || (a.candidate < b.candidate ? -1 : 1));
  return scored.slice(0, most).map(({ candidate }) => candidate);
}

/** Names of the same owner come first: people mistake the owner of a name less often than the name. */
export function nearestFirst(name: string, own: Iterable<string>, all: Iterable<string>, most = 5): string[] {
  return [...new Set([...nearestNames(name, own, most), ...nearestNames(name, all, most)])].slice(0, most);
}

/** Changes needed to turn one word into the other; a swap of neighbours counts as one. */
export function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let cost = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (same ? 0 : 1),
      );
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) cost = Math.min(cost, (beforePrevious[column - 2] ?? 0) + 1);
      current.push(cost);
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[b.length] ?? 0;
}
