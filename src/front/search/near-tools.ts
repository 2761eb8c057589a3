/** What a call that names an unknown tool may have meant, by the words of the name: names that are spelt alike are told already. */
import type { Address } from '../../toolbox/toolbox.ts';
import type { WorkbenchView } from '../../workbench/view/workbench-view.ts';
import { findShownTools } from './shown-tools.ts';
import { addressTextOf } from './tool-line.ts';

const maxSuggested = 3;
const maxRead = 150;

/** The usual correction, and the tools that a search for the name finds. */
export async function suggestTools(
  bench: WorkbenchView,
  { server, name }: Address,
  usual: string | undefined,
): Promise<string | undefined> {
  const query = `${server} ${name}`.slice(0, maxRead);
  const search = await bench.search.ready([query]);
  const shown = findShownTools(bench.snapshot, undefined);
  const { hits } = search.search(query, {
    limit: maxSuggested,
    ...(shown.accepts && { accepts: shown.accepts }),
  });
  const found = hits.flatMap(({ key, name: own }) => shown.find(key, own) ?? []).map(addressTextOf);
  if (found.length === 0) return usual;
  return [...(usual === undefined ? [] : [usual]), `A search finds: ${found.join(', ')}.`].join(' ');
}
