/** Collects what the scenarios find. Of several runs, a figure is the median of the runs, its spread that of the widest. */
import { compareRounds, median } from './statistics.mjs';
import { findTarget, keyOf } from './targets.mjs';

export function createFigures(onFigure = () => {}) {
  const each = [];
  const notes = new Set();
  return {
    /** `own` and `base` hold one value for each round; what was `refused` has the reason in their place. */
    add({ own, base, ...figure }) {
      this.addFound({ ...figure, ...(figure.refused === undefined ? compareRounds(own, base) : {}) });
    },
    /** What one run found, as `each` has it. */
    addFound(figure) {
      each.push(figure);
      onFigure(withVerdict(figure));
    },
    note(text) {
      notes.add(text);
    },
    each,
    notes: () => [...notes],
    all: () => [...byKey(each).values()].map(ofRuns).map(withVerdict),
  };
}

function byKey(figures) {
  const groups = new Map();
  for (const figure of figures) groups.set(keyOf(figure), [...(groups.get(keyOf(figure)) ?? []), figure]);
  return groups;
}

function ofRuns(runs) {
  const refusal = runs.find(({ refused }) => refused !== undefined);
  if (refusal !== undefined) return { ...refusal, runs: runs.length };
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
