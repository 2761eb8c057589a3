/** Peers side by side: a row for each program, a column for each figure. */
import { toNumber } from './report.mjs';

export function toPeersTable(figures) {
  const found = figures.filter(({ scenario }) => scenario === 'peers');
  const columns = [...new Set(found.map(({ name }) => name))];
  const rows = [...new Set(found.map(({ of }) => of))];
  const cell = (of, name) => toCell(found.find((figure) => figure.of === of && figure.name === name));
  return [
    `| program | ${columns.map((name) => `${name}, ÷ ${baseOf(found, name)}`).join(' | ')} |`,
    `|---|${columns.map(() => '---:|').join('')}`,
    ...rows.map((of) => `| ${of} | ${columns.map((name) => cell(of, name)).join(' | ')} |`),
  ];
}

/** Without the transport, which the row has. */
function baseOf(figures, column) {
  return figures.find(({ name }) => name === column).against.replace(/ (stdio|http)$/, '');
}

function toCell(figure) {
  if (figure === undefined) return '–';
  if (figure.refused !== undefined) return 'refused';
  return `${toNumber(figure.ratio)} (${toNumber(figure.own)} ${figure.unit})`;
}
