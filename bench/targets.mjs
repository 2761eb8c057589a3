/** What we aim for, by the name of the figure; a figure without a target is there to be read. */

const atMost = (limit) => ({ text: `≤ ${limit}`, met: (ratio) => ratio <= limit });
const atLeast = (limit) => ({ text: `≥ ${limit}`, met: (ratio) => ratio >= limit });

const targets = new Map([
  ['stdio | 100 B, p50 | flat | relay', atMost(1.4)],
  ['stdio | 10 KB, p50 | flat | relay', atMost(1.5)],
  ['stdio | 1 MB reply, p50 | flat | relay', atMost(2.2)],
  ['stdio | 1 MB argument, p50 | flat | relay', atMost(1.8)],
  ['stdio | 64 in flight, calls/s | flat | relay', atLeast(0.5)],
  ['stdio | 64 in flight, parsed, calls/s | flat | relay', atLeast(0.5)],
  ...['relay', 'pipe'].flatMap((against) => [
    [`http | 100 B, p50 | flat | ${against}`, atMost(1.5)],
    [`http | 10 KB, p50 | flat | ${against}`, atMost(1.5)],
    [`http | 1 MB reply, p50 | flat | ${against}`, atMost(2.2)],
    [`http | 1 MB argument, p50 | flat | ${against}`, atMost(1.8)],
    [`http | 64 in flight, calls/s | flat | ${against}`, atLeast(0.7)],
    [`http | 64 in flight, parsed, calls/s | flat | ${against}`, atLeast(0.7)],
    [`http | 64 in flight, p99 | flat | ${against}`, atMost(2.5)],
  ]),
  ...['stdio', 'http'].flatMap((transport) => [
    ...['100 B', '10 KB', '1 MB reply', '1 MB argument'].map((load) => [
      `${transport} | ${load}, p50 | meta | flat`,
      atMost(1.15),
    ]),
    [`${transport} | 16 in flight, calls/s | meta | flat`, atLeast(0.85)],
    [`${transport} | 64 in flight, calls/s | meta | flat`, atLeast(0.85)],
    [`${transport} | 64 in flight, parsed, calls/s | meta | flat`, atLeast(0.85)],
    [`${transport} | 64 in flight, p99 | meta | flat`, atMost(1.15)],
    [`lists | ${transport} list of 500, parsed, p50 | flat | direct`, atMost(1.2)],
    [`lists | ${transport} list of 5,000, bytes, p50 | flat | relay`, atMost(1.2)],
    [`memory | ${transport} idle, 10 servers | flat | relay`, atMost(1.4)],
    [`memory | ${transport} after 20k calls | flat | relay`, atMost(1.7)],
    [`memory | ${transport} after 40k ÷ after 20k | flat | itself`, atMost(1.1)],
  ]),
  ['cold | complete list | flat, nothing known | direct-ten', atMost(1.3)],
  ['cold | complete list | flat, started before | direct-ten', atMost(0.33)],
  ['cold | complete list | flat, started before | bare node', atMost(2.3)],
  ['cold | initialize answered | flat, started before | bare node', atMost(1.9)],
  ['cold | initialize answered | meta, started before | bare node', atMost(1.9)],
  ['cold | initialize answered | meta, nothing known | bare node', atMost(1.9)],
  ['sessions | sessions, RSS after 4 waves left | flat | after 2', atMost(1.1)],
  ['sessions | stateless, RSS after 4 waves left | flat | after 2', atMost(1.1)],
]);

export function keyOf({ scenario, name, of, against }) {
  return [scenario, name, of, against].join(' | ');
}

export function targetOf(key) {
  return targets.get(key);
}

export function findTarget(figure) {
  return targetOf(keyOf(figure));
}
