/** Runs the measurement, prints it, and compares it with what is stored. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { measureEmbeddings } from './embeddings.ts';
import { type Figures, measure, measures, type TokenFigures } from './measure.ts';
import { toPage, toShare } from './page.ts';

interface RecallOptions {
  readonly root: string;
  readonly args: readonly string[];
}

const out = (line: string) => process.stdout.write(`${line}\n`);

/** The exit code. */
export async function runRecall({ root, args }: RecallOptions): Promise<number> {
  const embeddings = args.find((arg) => /^--embeddings(=|$)/.test(arg));
  const unknown = args.find((arg) => !['--write', '--misses', '--tokens', embeddings].includes(arg));
  if (unknown !== undefined) {
    process.stderr.write(
      `npm run recall does not know ${unknown}; it takes --write, --misses, --tokens and --embeddings\n`,
    );
    return 2;
  }
  const folder = join(root, 'test/recall');
  const stored = join(folder, 'figures.json');
  const before = existsSync(stored) ? (JSON.parse(readFileSync(stored, 'utf8')) as Figures) : undefined;
  const { figures: measured, misses } = await measure(join(folder, 'data'), join(root, 'data'));
  const compared =
    embeddings === undefined
      ? before?.embeddings
      : await measureEmbeddings(root, resolve(embeddings.split('=')[1] ?? root));
  const tokens = args.includes('--tokens') ? await measureTokens(root) : before?.tokens;
  const figures: Figures = {
    ...measured,
    ...(compared === undefined ? {} : { embeddings: compared }),
    ...(tokens === undefined ? {} : { tokens }),
  };
  for (const [name, values] of Object.entries(figures.rankings))
    out(
      `${name.padEnd(14)} ${measures.map(([set, what], at) => `${set} ${what} ${toShare(values[at] ?? 0)}`).join('  ')}`,
    );
  if (embeddings !== undefined)
    out(
      `embeddings     ${measures.map(([set, what], at) => `${set} ${what} ${toShare(figures.embeddings?.[at] ?? 0)}`).join('  ')}`,
    );
  out(
    `weak           ${Object.entries(figures.weak)
      .map(([set, share]) => `${set} ${toShare(share)}`)
      .join('  ')}`,
  );
  const { indexMs, queryMs, slowQueryMs } = figures.times;
  out(`times          index ${indexMs} ms  query ${queryMs} ms  95th percentile ${slowQueryMs} ms`);
  if (args.includes('--tokens'))
    out(
      `tokens         ${Object.entries(figures.tokens ?? {})
        .map(([name, value]) => `${name} ${value}`)
        .join('  ')}`,
    );
  if (args.includes('--misses')) for (const miss of misses) out(miss);
  if (args.includes('--write')) {
    writeFileSync(stored, toText(figures));
    writeFileSync(join(root, 'docs/discovery.md'), toPage(figures));
    return 0;
  }
  const worse = before === undefined ? ['there are no stored figures'] : findWorse(figures, before);
  for (const line of worse) process.stderr.write(`${line}\n`);
  if (worse.length > 0) process.stderr.write('When this is meant: npm run recall -- --write\n');
  return worse.length === 0 ? 0 : 1;
}

/** The script starts the built program, so it is not bundled with the rest of the run. */
async function measureTokens(root: string): Promise<TokenFigures> {
  const script = (await import(pathToFileURL(join(root, 'test/recall/tokens.mjs')).href)) as {
    measureTokens(): Promise<TokenFigures>;
  };
  return script.measureTokens();
}

/** As the formatter wants it: lists of numbers on one line. */
function toText(figures: Figures): string {
  const text = JSON.stringify(figures, undefined, 2);
  return `${text.replace(/\[[\d.,\s]+\]/g, (list) => `[${list.slice(1, -1).trim().split(/,\s*/).join(', ')}]`)}\n`;
}

/** What got worse. What got better is not a failure; the page tells it when it is written again. */
export function findWorse(now: Figures, before: Figures): string[] {
  const kept = ['withoutTables', 'shipped', 'stuffed'] as const;
  const compare = (ranking: string, values: readonly number[], earlier: readonly number[]) =>
    measures.flatMap(([set, measure], at) => {
      const [is = 0, was = 0] = [values[at], earlier[at]];
      return is < was ? [`${ranking}: ${set} ${measure} is ${toShare(is)}; it was ${toShare(was)}`] : [];
    });
  const ranked = [
    ...kept.flatMap((ranking) => compare(ranking, now.rankings[ranking], before.rankings[ranking])),
    ...compare('embeddings', now.embeddings ?? [], now.embeddings === undefined ? [] : (before.embeddings ?? [])),
  ];
  const flagged = (['agent', 'typo'] as const).flatMap((set) =>
    now.weak[set] > before.weak[set]
      ? [`${toShare(now.weak[set])} of the queries ${set} are called weak; it was ${toShare(before.weak[set])}`]
      : [],
  );
  const dearer = Object.entries(now.tokens ?? {}).flatMap(([name, is]) => {
    const was = before.tokens?.[name as keyof TokenFigures] ?? is;
    return is > was ? [`tokens: ${name} is ${is}; it was ${was}`] : [];
  });
  return [...ranked, ...flagged, ...dearer];
}
