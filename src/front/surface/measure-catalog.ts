/** The size of what a view shows, for the decision what a client is shown of it. */
import { memoize } from '../../base/async/memoize.ts';
import { findMember } from '../../base/json/json.ts';
import { estimateTokens } from '../../base/text/token-estimate.ts';
import type { CatalogSize } from '../../clients/plan-surface.ts';
import type { Entry } from '../../toolbox/toolbox.ts';
import type { Snapshot } from '../../workbench/view/snapshot.ts';
import type { WorkbenchView } from '../../workbench/view/workbench-view.ts';

export function measureCatalog(bench: WorkbenchView): CatalogSize {
  const { config } = bench;
  const heard = bench.servers().filter(({ key, state }) => state !== 'disabled' && config.servers.has(key));
  const unknown = heard.filter(({ tools }) => tools === undefined).map(({ name }) => name);
  return { ...sizeOf(bench.snapshot), servers: heard.length, unknown };
}

/** Each snapshot is measured once, for all clients. */
const sizeOf = memoize((snapshot: Snapshot): Pick<CatalogSize, 'tools' | 'tokens'> => {
  const shown = findShown(snapshot);
  let tokens: number | undefined;
  return {
    tools: shown.length,
    tokens() {
      tokens ??= shown.reduce((sum, { item }) => sum + tokensOf(item.definition), 0);
      return tokens;
    },
  };
});

/** A tool counts once, in however many toolboxes it is. */
function findShown({ toolboxes }: Snapshot): Entry[] {
  const once = new Map<string, Entry>();
  for (const { entries } of toolboxes.values())
    for (const entry of entries.tools) once.set(`${entry.key}\n${entry.item.name}`, entry);
  return [...once.values()];
}

/** What a model reads of a tool. */
const tokensOf = memoize((definition: Entry['item']['definition']): number =>
  estimateTokens(
    JSON.stringify(['name', 'description', 'inputSchema'].map((key) => findMember(definition, key) ?? null)),
  ),
);
