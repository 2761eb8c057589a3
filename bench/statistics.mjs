/** Few numbers from many: all by rank, because one pause of the machine must not decide. */

export function quantile(values, part) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * part;
  const low = sorted[Math.floor(at)];
  const high = sorted[Math.ceil(at)];
  return low + (high - low) * (at - Math.floor(at));
}

export function median(values) {
  return quantile(values, 0.5);
}

/** The ratio within each round, because two things measured one after the other had the same machine; with its middle half. */
export function compareRounds(own, base) {
  const ratios = own.map((value, round) => value / base[round]);
  return {
    own: median(own),
    base: median(base),
    ratio: median(ratios),
    low: quantile(ratios, 0.25),
    high: quantile(ratios, 0.75),
  };
}
