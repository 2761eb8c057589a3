/** The figures as a person reads them: a line as each is found, and the page docs/performance.md. */
import { cpus } from 'node:os';

export function toLine({ scenario, name, of, against, unit, own, base, ratio, low, high, target = '', verdict = '' }) {
  const what = `${scenario} ${name}`.padEnd(44);
  const who = `${of} ÷ ${against}`.padEnd(34);
  const ratios = toRatio({ ratio, low, high }).padEnd(20);
  const values = `${toNumber(own)} / ${toNumber(base)} ${unit}`.padEnd(26);
  return `${what} ${who} ${ratios} ${values} ${target.padEnd(7)} ${verdict}`.trimEnd();
}

export function toPage(figures, { notes, rounds, runs, load }) {
  const model = cpus()[0]?.model.trim() ?? 'unknown';
  const machine = `${cpus().length} cores (${model}), ${process.platform}, Node ${process.versions.node}`;
  const day = new Date().toISOString().slice(0, 10);
  const median = `${rounds} rounds, median of ${runs} ${runs === 1 ? 'run' : 'runs'}`;
  const scenarios = [...new Set(figures.map(({ scenario }) => scenario))];
  return `${[
    '# Performance',
    '',
    'Written by `npm run bench -- --write`; do not edit. Absolute times belong to one machine on one day: read the ratios.',
    '',
    `${machine}, ${day}; ${median}. ${toLoad(load)}`,
    '',
    '- `direct`: the client speaks to a trivial server. `relay`: one more process that only passes on what comes: bytes on stdio, requests over HTTP. `pipe`: over HTTP too only the bytes, unread.',
    '- `flat`, `meta`: through the Workbench, in that mode (`meta`: through `use_tool`). Behind it is a server on stdio; `flat to http`: one over HTTP.',
    '- `relay again`: a second relay, measured like everything else. How far it is from 1 is the noise of the run.',
    '- Every round measures all of them, in an order drawn anew. A ratio is the median of the ratios of the rounds; in parentheses its middle half.',
    ...scenarios.flatMap((scenario) => [
      '',
      `## ${scenario}`,
      '',
      '| figure | of ÷ against | ratio | values | target | |',
      '|---|---|---:|---:|---:|---|',
      ...figures.filter((figure) => figure.scenario === scenario).map(toRow),
    ]),
    ...(notes.length === 0 ? [] : ['', '## Notes', '', ...notes.map((note) => `- ${note}`)]),
  ].join('\n')}\n`;
}

/** Others on the machine make every figure worse, and those of several processes worse than those of one. */
function toLoad(load) {
  const quiet = `Load of the machine before: ${load.toFixed(1)}`;
  return load < 0.5 ? `${quiet}.` : `${quiet}: **it was busy with other things, so these figures only show the form.**`;
}

function toRow({ name, of, against, unit, own, base, ratio, low, high, target = '', verdict = '' }) {
  return `| ${name} | ${of} ÷ ${against} | ${toRatio({ ratio, low, high })} | ${toNumber(own)} / ${toNumber(base)} ${unit} | ${target} | ${verdict} |`;
}

/** What was measured once has no spread. */
function toRatio({ ratio, low, high }) {
  return low === high ? toNumber(ratio) : `${toNumber(ratio)} (${toNumber(low)}–${toNumber(high)})`;
}

function toNumber(value) {
  if (value >= 1_000) return Math.round(value).toLocaleString('en-US');
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
