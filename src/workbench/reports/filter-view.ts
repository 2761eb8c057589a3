/** Shows what filters do unseen: match nothing, or leave out a tool that a client asks for. */
import { quote, quoteList } from '../../base/text/error-text.ts';
import type { Log } from '../../base/text/log.ts';
import { nearestNames } from '../../base/text/nearest.ts';
import { type Kind, kindRules } from '../../catalog/kind.ts';
import { buildFilter, findIdleFilters } from '../../toolbox/filter.ts';
import { type Address, filtersOf } from '../../toolbox/toolbox.ts';
import type { Snapshot } from '../view/snapshot.ts';

export interface FilterView {
  /** Messages about filters that match nothing. */
  idle(): string[];
  /** Tools that filters leave out. Only for the owner of the configuration: a model must not be told. */
  leftOut(): Address[];
  /** The list of a server has come: warns of each of its filters that matches nothing, once. */
  heard(key: string): void;
}

export function createFilterView(current: () => Snapshot, log: Log): FilterView {
  const warned = new Set<string>();
  return {
    idle: () => describeIdleFilters(current()).map(({ message }) => message),
    leftOut: () => findLeftOut(current()),
    heard(key) {
      const { config, catalog } = current();
      const own = new Map([...catalog].filter(([each]) => each === key));
      for (const { id, message } of describeIdleFilters({ config, catalog: own })) {
        if (!warned.has(id)) log.warn(message, { code: 'WB1705' });
        warned.add(id);
      }
    },
  };
}

const filtered: readonly Kind[] = ['tools', 'prompts', 'resources'];

interface IdleFilter {
  /** The same for the same filter in every list. */
  readonly id: string;
  readonly message: string;
}

/** Filters that match nothing of what their server lists, for servers that were heard. */
function describeIdleFilters({ config, catalog }: Pick<Snapshot, 'config' | 'catalog'>): IdleFilter[] {
  return [...config.toolboxes.values()].flatMap(({ name: toolbox, placements }) =>
    placements.flatMap((placement) =>
      filtered.flatMap((kind) => {
        const listing = catalog.get(placement.key);
        const kinds: readonly Kind[] = kind === 'resources' ? ['resources', 'resourceTemplates'] : [kind];
        const names = kinds.flatMap((each) => (listing?.[each] ?? []).map(({ shown }) => shown));
        // A pattern for resources may be for URIs that are never listed.
        const filters = filtersOf(kind, placement).filter((filter) => kind !== 'resources' || !filter.includes('*'));
        const idle = names.length === 0 ? [] : findIdleFilters(filters, names);
        return idle.map((filter) => ({
          id: JSON.stringify([toolbox, placement.server, kind, filter]),
          message: describeIdle({ filter, names, kind, server: placement.server, toolbox }),
        }));
      }),
    ),
  );
}

interface Idle {
  readonly filter: string;
  readonly names: readonly string[];
  readonly kind: Kind;
  readonly server: string;
  readonly toolbox: string;
}

function describeIdle({ filter, names, kind, server, toolbox }: Idle): string {
  const wanted = filter.replace(/^!/, '').replaceAll('*', '');
  const near = nearestNames(wanted, names, 3);
  const { noun } = kindRules[kind];
  const hint = near.length > 0 ? `Did you mean: ${quoteList(near)}?` : `Some of them: ${quoteList(names.slice(0, 5))}.`;
  return `The filter ${quote(filter)} of server '${server}' (toolbox '${toolbox}') matches none of its ${names.length} ${noun}s. ${hint}`;
}

function findLeftOut({ catalog, toolboxes }: Snapshot): Address[] {
  return [...toolboxes.values()].flatMap((toolbox) =>
    [...toolbox.placements.values()].flatMap((placement) => {
      const { key, server } = placement;
      const passes = buildFilter(filtersOf('tools', placement));
      return (catalog.get(key)?.tools ?? [])
        .filter(({ shown }) => !passes(shown))
        .map(({ shown }) => ({ toolbox: toolbox.name, server, name: shown }));
    }),
  );
}
