/** Collects what the scenarios find. Of several runs, a figure is the median of the runs, its spread that of the widest. */
import { compareRounds, median } from './statistics.mjs';
import { findTarget, keyOf } from './targets.mjs';

export function createFigures(onFigure) {
  const found = new Map();
  const notes = [];
  return {
    /** `own` and `base` hold one value for each round. */
    add({ scenario, name, of, against, unit, own, base }) {
      const figure = { scenario, name, of, against, unit, ...compareRounds(own, base) };
      const key = keyOf(figure);
      found.set(key, [...(found.get(key) ?? []), figure]);
      onFigure(withVerdict(figure));
    },
    note(text) {
      notes.push(text);
    },
    notes,
    all: () => [...found.values()].map(ofRuns).map(withVerdict),
  };
}

function ofRuns(runs) {
  const middle = (member) => median(runs.map((figure) => figure[member]));
  return {
    ...runs[0],
    runs: runs.length,
    own: middle('own'),
    base: middle('base'),
    ratio: middle('ratio'),
    low: Math.min(...runs.map(({ low }) => low)),
    high: Math.max(...runs.map(({ high }) => high)),
  };
}

function withVerdict(figure) {
  const target = findTarget(figure);
  return target === undefined
    ? figure
    : { ...figure, target: target.text, verdict: target.met(figure.ratio) ? 'ok' : 'miss' };
}
