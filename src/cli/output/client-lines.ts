/** What each client is shown, in lines for a person. Clients that are shown the same for the same reason stand together. */
import { type ClientReport, type ClientsReport, toOwnCommand, toPrintable } from '../../index.ts';
import type { Output } from './output.ts';
import { pluralize } from './pluralize.ts';
import type { SchemaChanges } from './schema-changes.ts';
import { padToWidth } from './text-width.ts';
import { wrapIndented } from './wrap-text.ts';

const column = 9;

/** The part about one client, where one is asked about. */
export function withClient(report: ClientsReport, id: string | undefined): ClientsReport {
  return id === undefined ? report : { ...report, clients: report.clients.filter((client) => client.id === id) };
}

/** All of it, for `check`. */
export function showClients(output: Output, report: ClientsReport): void {
  output.line();
  for (const line of toClientLines(report, output)) output.line(line);
}

export function showSchemaChanges(output: Output, { tools, changed }: SchemaChanges): void {
  output.line();
  output.line(`${output.paint.bold('schemas')}  simplified: ${changed.length} of ${pluralize(tools, 'tool')}`);
  for (const { server, tool, changes } of changed) {
    output.line(`  ${toPrintable(`${server}.${tool}`, 150)}`);
    for (const { at, keyword, why } of changes.slice(0, maxChanges))
      output.line(`    ${toPrintable(`${at === '' ? '/' : at} ${keyword}`.trim(), 100)}: ${output.paint.dim(why)}`);
    if (changes.length > maxChanges) output.line(`    … and ${changes.length - maxChanges} more (--json has them)`);
  }
}

/** Changes of one tool. */
const maxChanges = 8;

function toClientLines({ clients, tools, tokens }: ClientsReport, { paint, width }: Output): string[] {
  const size = `${pluralize(tools, 'tool')}, about ${tokens} tokens (estimate)`;
  const indent = ' '.repeat(column + 2);
  const groups = group(clients).flatMap(([first, ...others]) => {
    const who = [first, ...others].map(({ title }) => title).join(', ');
    const [head = '', ...rest] = wrapIndented(
      `${toPrintable(who, 2_000)}: ${toPrintable(first.why, 200)}`,
      indent,
      width,
    );
    return [`  ${padToWidth(first.mode, column)}${head.trimStart()}`, ...rest];
  });
  const simplified = clients.filter(({ schemas }) => schemas === 'portable');
  const [example] = simplified;
  const hint =
    example === undefined
      ? []
      : wrapIndented(
          `simpler schemas for ${simplified.map(({ title }) => title).join(', ')}; which: ${toOwnCommand(['check', '--client', example.id])}`,
          '  ',
          width,
        );
  return [`${paint.bold('clients')}  ${paint.dim(size)}`, ...groups, ...hint];
}

/** In one line, for `list`. */
export function toClientLine({ clients }: ClientsReport): string {
  const modes = new Map<string, string[]>();
  for (const { mode, title } of clients) modes.set(mode, [...(modes.get(mode) ?? []), title]);
  const parts = [...modes].map(([mode, titles]) => `${mode} for ${shorten(titles)}`);
  return `clients  ${toPrintable(parts.join('; '), 400)}`;
}

const maxTitles = 5;

function shorten(titles: readonly string[]): string {
  return titles.length <= maxTitles + 1
    ? titles.join(', ')
    : `${titles.slice(0, maxTitles).join(', ')} and ${titles.length - maxTitles} more`;
}

type Group = readonly [ClientReport, ...ClientReport[]];

function group(clients: readonly ClientReport[]): Group[] {
  const groups = new Map<string, [ClientReport, ...ClientReport[]]>();
  for (const client of clients) {
    // The clients that search themselves differ in the title only.
    const key = JSON.stringify([client.mode, client.why.replace(client.title, '')]);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [client]);
    else known.push(client);
  }
  return [...groups.values()].map(([first, ...others]) => [
    {
      ...first,
      why:
        others.length === 0
          ? first.why
          : first.why.replace(`${first.title} searches tools itself`, 'search tools themselves'),
    },
    ...others,
  ]);
}
