/** A figure as a person reads it. */

/** As it is found. */
export function toLine(figure) {
  const { scenario, name, of, against, unit, own, base, refused, target = '', verdict = '' } = figure;
  const what = `${scenario} ${name}`.padEnd(44);
  const who = `${of} ÷ ${against}`.padEnd(34);
  if (refused !== undefined) return `${what} ${who} refused: ${refused}`;
  const values = `${toNumber(own)} / ${toNumber(base)} ${unit}`.padEnd(26);
  return `${what} ${who} ${toRatio(figure).padEnd(20)} ${values} ${target.padEnd(7)} ${verdict}`.trimEnd();
}

/** In a table of the page. */
export function toRow(figure) {
  const { name, of, against, unit, own, base, refused, target = '', verdict = '' } = figure;
  const head = `| ${name} | ${of} ÷ ${against}`;
  if (refused !== undefined) return `${head} | refused | | | |`;
  const values = `${toNumber(own)} / ${toNumber(base)} ${unit}`;
  return `${head} | ${toRatio(figure)} | ${values} | ${target} | ${verdict} |`;
}

export function toRatio(figure) {
  const spread = toSpread(figure);
  return spread === '' ? toNumber(figure.ratio) : `${toNumber(figure.ratio)} (${spread})`;
}

/** What was measured once has none. */
export function toSpread({ low, high }) {
  return low === high ? '' : `${toNumber(low)}–${toNumber(high)}`;
}

export function toNumber(value) {
  if (value >= 1_000) return Math.round(value).toLocaleString('en-US');
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
