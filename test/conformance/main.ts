/** Measures, compares with `expected.json`, and keeps `docs/conformance.md` true. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Comparison, type Expectation, findDisagreements, findUnknown } from './expectations.ts';
import { measure } from './measure.ts';
import { type Cell, directCells, type Measured, nameOf, throughCells, verdictOf } from './measurement.ts';
import { toPage } from './page.ts';

export interface RunOptions {
  readonly root: string;
  readonly folder: string;
  readonly args: readonly string[];
}

/** Gives the exit code. */
export async function runConformance({ root, folder, args }: RunOptions): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string', multiple: true, default: [] },
      write: { type: 'boolean', default: false },
      details: { type: 'boolean', default: false },
    },
  });
  // A text that is in the name of a measurement chooses measurements, any other chooses scenarios.
  const isCellText = (text: string) => [...directCells, ...throughCells].some((cell) => nameOf(cell).includes(text));
  const ofCells = values.only.filter(isCellText);
  const ofScenarios = values.only.filter((text) => !isCellText(text));
  const isAsked = (text: string, parts: readonly string[]) =>
    parts.length === 0 || parts.some((part) => text.includes(part));
  const expectations = JSON.parse(
    readFileSync(join(root, 'test/conformance/expected.json'), 'utf8'),
  ) as readonly Expectation[];

  const run = async (cell: Cell): Promise<Measured> => {
    const wants = (scenario: string) => isAsked(scenario, ofScenarios);
    if (cell.via !== 'direct' && !isAsked(nameOf(cell), ofCells)) return new Map();
    const all = await measure(cell, { root, folder, wants });
    const measured = new Map([...all].filter(([name]) => wants(name)));
    if (measured.size > 0) say(`${toCount(measured)}  ${nameOf(cell)}`);
    if (values.details) explain(measured);
    return measured;
  };

  const direct = new Map<string, Measured>();
  for (const cell of directCells) direct.set(cell.revision, await run(cell));
  const comparisons: Comparison[] = [];
  for (const cell of throughCells) {
    const measured = await run(cell);
    comparisons.push({ cell, measured, direct: cell.side === 'server' ? direct.get(cell.revision) : undefined });
  }

  const wrong = comparisons.flatMap((comparison) => findDisagreements(comparison, expectations));
  if (values.only.length === 0) {
    wrong.push(...findUnknown(comparisons, expectations));
    const path = join(root, 'docs/conformance.md');
    const page = toPage({ direct, comparisons, expectations });
    if (values.write) writeFileSync(path, page);
    else if (readText(path) !== page)
      wrong.push('docs/conformance.md is out of date; run: npm run conformance -- --write');
  }
  for (const sentence of wrong) say(`✗ ${sentence}`);
  if (wrong.length === 0) say('✓ Everything that passes directly passes through, except what expected.json explains.');
  return wrong.length === 0 ? 0 : 1;
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

function toCount(measured: Measured): string {
  const passed = [...measured.values()].filter((scenario) => verdictOf(scenario) === 'pass');
  return `${passed.length}/${measured.size}`.padStart(5);
}

function explain(measured: Measured): void {
  for (const [name, scenario] of measured)
    for (const [check, { verdict, message = '' }] of scenario)
      if (verdict === 'fail' || verdict === 'warn') say(`       ${verdict} ${name}:${check} ${message}`);
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
