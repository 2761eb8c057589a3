/** The head of the page: the ratios that were promised, and whether they were kept. Everything else on the page is detail. */
import { toNumber, toSpread } from './report.mjs';
import { keyOf, targetOf } from './targets.mjs';

const both = (label, key) => [
  [`${label}, stdio`, key('stdio')],
  [`${label}, HTTP`, key('http')],
];

/** What it is called on the page, and the key of the figure. */
export const promised = [
  ['stdio p50 ÷ relay, 100 B', 'stdio | 100 B, p50 | flat | relay'],
  ['stdio calls/s at 64 ÷ relay', 'stdio | 64 in flight, calls/s | flat | relay'],
  ['HTTP p50 ÷ relay, 100 B', 'http | 100 B, p50 | flat | relay'],
  ['HTTP calls/s at 64 ÷ relay', 'http | 64 in flight, calls/s | flat | relay'],
  ['HTTP p99 at 64 ÷ relay', 'http | 64 in flight, p99 | flat | relay'],
  ...both('1 MB reply ÷ relay', (transport) => `${transport} | 1 MB reply, p50 | flat | relay`),
  ...both('1 MB argument ÷ relay', (transport) => `${transport} | 1 MB argument, p50 | flat | relay`),
  ...both('`tools/list` 500 ÷ direct', (transport) => `lists | ${transport} list of 500, parsed, p50 | flat | direct`),
  ...both('`tools/list` 5,000, bytes only ÷ relay', (transport) => {
    return `lists | ${transport} list of 5,000, bytes, p50 | flat | relay`;
  }),
  ...both('RSS idle with 10 servers ÷ relay', (transport) => `memory | ${transport} idle, 10 servers | flat | relay`),
  ...both('RSS after 20k calls ÷ relay', (transport) => `memory | ${transport} after 20k calls | flat | relay`),
  ...both('RSS after 40k calls ÷ after 20k', (transport) => {
    return `memory | ${transport} after 40k ÷ after 20k | flat | itself`;
  }),
  [
    'cold start, no catalog ÷ client starting the ten itself',
    'cold | complete list | flat, nothing known | direct-ten',
  ],
  ['cold start, known catalog ÷ bare `node`', 'cold | complete list | flat, started before | bare node'],
  [
    '`initialize` answered, known catalog ÷ bare `node`',
    'cold | initialize answered | flat, started before | bare node',
  ],
  [
    'cold start, known catalog ÷ client starting the ten itself',
    'cold | complete list | flat, started before | direct-ten',
  ],
];

export function toHeadTable(figures) {
  const byKey = new Map(figures.map((figure) => [keyOf(figure), figure]));
  return [
    '| ratio | target | found | spread | |',
    '|---|---:|---:|---:|---|',
    ...promised.map(([label, key]) => toHeadRow(label, targetOf(key).text, byKey.get(key))),
    toMetaRow(figures.filter(isMeta)),
  ];
}

function toHeadRow(label, target, figure) {
  if (figure === undefined) return `| ${label} | ${target} | – | – | not measured |`;
  const verdict = figure.verdict === 'ok' ? 'met' : '**missed**';
  return `| ${label} | ${target} | ${toNumber(figure.ratio)} | ${toSpread(figure) || '–'} | ${verdict} |`;
}

/** Through `use_tool` the same, within 15 %: one row for all of them, with the worst. */
function toMetaRow(figures) {
  const label = '`meta` ÷ `flat`, calls';
  const target = '≤ 1.15, calls/s ≥ 0.85';
  if (figures.length === 0) return `| ${label} | ${target} | – | – | not measured |`;
  const costs = figures.map((figure) => ({ figure, cost: figure.unit === 'ms' ? figure.ratio : 1 / figure.ratio }));
  const worst = costs.reduce((most, each) => (each.cost > most.cost ? each : most)).figure;
  const met = figures.filter(({ verdict }) => verdict === 'ok').length;
  const where = `${toNumber(worst.ratio)} at worst (${worst.scenario}, ${worst.name})`;
  const verdict = met === figures.length ? 'met' : `**${figures.length - met} of ${figures.length} missed**`;
  return `| ${label} | ${target} | ${where} | ${toSpread(worst) || '–'} | ${verdict} |`;
}

function isMeta({ of, against, verdict }) {
  return of === 'meta' && against === 'flat' && verdict !== undefined;
}
