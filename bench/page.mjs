/** The page docs/performance.md: what was promised, then everything that was found, then how to repeat it. */
import { toHeadTable } from './head-table.mjs';
import { toPeersTable } from './peers-table.mjs';
import { toRow } from './report.mjs';

const titles = new Map([
  ['stdio', 'Calls over stdio'],
  ['http', 'Calls over HTTP'],
  ['delay', 'Event loop under load'],
  ['lists', 'Lists'],
  ['cold', 'Cold start'],
  ['memory', 'Memory'],
  ['sessions', 'A thousand HTTP clients'],
]);

export function toPage({ figures, notes, machine, day, rounds, runs, load }) {
  const median = `${rounds} rounds, median of ${runs} ${runs === 1 ? 'run' : 'runs'}`;
  const own = figures.filter(({ scenario }) => scenario !== 'peers');
  const scenarios = [...new Set(own.map(({ scenario }) => scenario))];
  return `${[
    '# Performance',
    '',
    'Written by `npm run bench -- --write`; do not edit. Absolute times belong to one machine on one day: read the ratios.',
    '',
    `${machine}, ${day}; ${median}. ${toLoad(load)}`,
    '',
    ...toHeadTable(figures),
    '',
    '- `direct`: the client speaks to a trivial server. `relay`: one more process that only passes on what comes: bytes on stdio, requests over HTTP. `pipe`: over HTTP too only the bytes, unread.',
    '- `flat`, `meta`: through the Workbench, in that mode (`meta`: through `use_tool`). Behind it is a server on stdio; `flat to http`: one over HTTP.',
    '- `relay again`: a second relay, measured like everything else. How far it is from 1 is the noise of the run.',
    '- Calls are measured when all processes are warm: after 5,000 with 16 in flight and 5,000 one by one. `at first`: after the former only.',
    '- Every round measures all of them, in an order drawn anew. A ratio is the median of the ratios of the rounds; in parentheses its middle half.',
    ...scenarios.flatMap((scenario) => [
      '',
      `## ${titles.get(scenario) ?? scenario}`,
      ...aboutOf(scenario),
      '',
      '| figure | of ÷ against | ratio | values | target | |',
      '|---|---|---:|---:|---:|---|',
      ...own.filter((figure) => figure.scenario === scenario).map(toRow),
    ]),
    ...toPeers(figures),
    ...(notes.length === 0 ? [] : ['', '## Notes', '', ...notes.map((note) => `- ${note}`)]),
    '',
    '## Repeat it',
    '',
    'On a machine with nothing else to do, from a clone: `npm run bench -- --runs 3 --write`; with `--peers` the peers too, installed from npm into a temporary folder. `bench/run.mjs` begins with all flags.',
  ].join('\n')}\n`;
}

/** Others on the machine make every figure worse, and those of several processes worse than those of one. */
function toLoad(load) {
  const quiet = `Load of the machine before: ${load.toFixed(1)}`;
  return load < 1 ? `${quiet}.` : `${quiet}: **it was busy with other things, so these figures only show the form.**`;
}

function aboutOf(scenario) {
  if (scenario !== 'delay') return [];
  return [
    '',
    'How long a `ping` takes while calls are in flight. Over HTTP it comes from a process of its own, on a connection of its own; on stdio it is one among the calls. The Workbench answers it itself; behind a relay the server does.',
  ];
}

function toPeers(figures) {
  if (!figures.some(({ scenario }) => scenario === 'peers')) return [];
  return [
    '',
    '## Peers',
    '',
    'Installed from npm for this run, started as their documents say in front of the same servers, measured by the same client in the same turns. The ratio, and in parentheses the value. Cold start: until the list of ten servers is complete; `–` where a program takes one server only (its list of 500 is that of one server).',
    '',
    ...toPeersTable(figures),
  ];
}
