/**
 * How much of the large tests a run has. `npm test` runs a selection of them, so that it takes minutes; CI runs the rest, too.
 * `WORKBENCH_TESTS`: `all` (also when vitest is started by hand), `most` (what `npm test` runs), `rest` (what `most` leaves out).
 */
export type Extent = 'all' | 'most' | 'rest';

export function readExtent(value = process.env.WORKBENCH_TESTS): Extent {
  if (value === undefined || value === 'all') return 'all';
  if (value === 'most' || value === 'rest') return value;
  throw new Error(`WORKBENCH_TESTS is "${value}": all, most or rest`);
}

/** How often a test of chance does what it does: a tenth of `times` in `npm test`. */
export function share(times: number): number {
  return readExtent() === 'most' ? Math.ceil(times / 10) : times;
}
