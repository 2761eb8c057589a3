/** The page docs/discovery.md, from the figures of a run. */
import { type Figures, measures, type TokenFigures } from './measure.ts';

const setNames = { agent: 'agent', user: 'user', typo: 'one typo', single: 'MetaTool', two: 'two tools' } as const;

export function toPage({
  servers,
  tools,
  metaTools,
  queries,
  rankings,
  embeddings,
  weak,
  times,
  tokens,
}: Figures): string {
  const heads = measures.map(([set, measure]) => `${setNames[set]} ${measure}`);
  const row = (name: string, values: readonly number[]) => `| ${[name, ...values.map(toShare)].join(' | ')} |`;
  return `# How well tools are found

Written by \`npm run recall -- --write\`; do not edit. The run scores the ranking that the program ships, through its own code, on the data in \`test/recall\`, and fails when a figure falls below the stored one.

## Figures

${servers} real servers with ${tools.toLocaleString('en')} tools, and the ${metaTools} tools of MetaTool. All rankings get the same queries in the same run.

| ranking | ${heads.join(' | ')} |
|---|${heads.map(() => '---').join('|')}|
${row('plain BM25', rankings.plain)}
${row('the Workbench without its word tables', rankings.withoutTables)}
${row('**the Workbench**', rankings.shipped)}
${embeddings === undefined ? '' : `${row('the Workbench with a local embedding (`search.embeddings`, 28 MB package)', embeddings)}\n`}${row('the Workbench, with a server that stuffs its texts with the words of these queries', rankings.stuffed)}

An answer is called weak when its best tool explains less than .35 of the query: ${toShare(weak.agent)} of the agent's queries, ${toShare(weak.typo)} of those with a typo, ${toShare(weak.user)} of the user's, ${toShare(weak.strangers)} of requests that no server here can serve.

The index of all tools took ${times.indexMs} ms, a query ${times.queryMs} ms in the median and ${times.slowQueryMs} ms at the 95th percentile, on the machine that wrote this page, in one thread. No model, no service and no further package is needed.

${tokens === undefined ? '' : toTokenText(tokens)}## Queries

| set | queries | what they are | tools searched |
|---|---|---|---|
| agent | ${queries.agent} | short tool vocabulary, as a model writes it ("slack post message to channel") | all of the real servers |
| user | ${queries.user} | the same wishes in a person's words | the same |
| one typo | ${queries.typo} | the agent's queries with one edit in one word | the same |
| MetaTool | ${queries.single} | requests with one right tool, written by a language model | MetaTool |
| two tools | ${queries.two} | requests that need two tools | MetaTool |

## Definitions

One query is one search over all tools of its set, without a filter. The position of a need is that of its first right tool; k is the number of results looked at.

- **hit@k**: 1 if a need has a position of at most k, else 0; mean over queries.
- **R@k**: the share of the needs of a query with a position of at most k; mean over queries.
- **nDCG@k**: the sum over needs with position p ≤ k of 1 / log2(p + 1), divided by the best possible sum; mean over queries.
- **plain BM25**: words as written in lower case ("create_issue" is one word), all texts of a tool in one field, k1 1.2, b .75.

## What these figures do not say

- The queries are those that the ranking was tuned on. Expect one to three points less on others.
- The intents were written by a person who had read the names of the tools, so the agent's queries are optimistic. One query is 1.8 points there.
- MetaTool credits one tool where several would do, and some of its labels are doubtful.
- Nothing here measures whether an agent finishes its task.
- Descriptions in another language than the query are found by the name of their server only, unless an embedding is set up.
- Published figures of others come from other data, other tools and other tokenisation. The row "plain BM25" is the comparison that this repository can repeat.
`;
}

function toTokenText(tokens: TokenFigures): string {
  const { start, startKnown, perToolbox, search, slowSearch, described, describedShare, find } = tokens;
  return `## Tokens

Counted with o200k over a pipe, on the built program in mode \`search\`, with 57 servers that replay the recorded catalogs; 112 searches with the default of five hits. Only texts count that a model reads: names, descriptions, schemas, instructions, results.

| what | tokens |
|---|---|
| before the first call: list of tools and instructions, while nothing is known of the servers | ${start} |
| the same when their tools are known | ${startKnown} |
| each further toolbox | ${perToolbox} |
| one search, median | ${search} |
| one search, 95th percentile | ${slowSearch} |
| a tool described as TypeScript, mean | ${described} |
| the same, as a share of its JSON | ${toShare(describedShare)} |
| finding one tool: start, a search, a description | ${find} |

`;
}

/** Three digits without the leading zero, as figures of this kind are usually printed. */
export function toShare(value: number): string {
  return value.toFixed(3).replace(/^0/, '');
}
