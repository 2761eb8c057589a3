/** What `--json` saved, of several times as if it were one: the runs of all, each machine and day once. */
import { createFigures } from './figures.mjs';

export function joinSaved(saved) {
  const figures = createFigures();
  for (const { each, notes } of saved) {
    for (const figure of each) figures.addFound(figure);
    for (const note of notes) figures.note(note);
  }
  const once = (member) => [...new Set(saved.map((one) => one[member]))].join(' and ');
  const perFigure = figures.all().map(({ runs }) => runs);
  return {
    machine: once('machine'),
    day: once('day'),
    rounds: once('rounds'),
    // A scenario that was only measured in one of the files has fewer; the page says the most.
    runs: Math.max(...perFigure),
    load: Math.max(...saved.map(({ load }) => load)),
    notes: figures.notes(),
    figures: figures.all(),
    each: figures.each,
  };
}
