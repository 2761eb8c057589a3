/** Finds the entry of an address, or the error that says which part is wrong and what exists instead. */

import { WorkbenchError } from '../../base/errors/errors.ts';
import { quote, quoteList } from '../../base/text/error-text.ts';
import { nearestNames } from '../../base/text/nearest.ts';
import { type Kind, kindRules } from '../../catalog/kind.ts';
import type { Placement } from '../../config/model/config.ts';
import type { LinkFailure } from '../../downstream/link/link-status.ts';
import { type Address, type Entry, findEntry, type Toolbox } from '../../toolbox/toolbox.ts';
import type { Snapshot } from '../view/snapshot.ts';

export function getToolbox({ config, toolboxes }: Snapshot, name: string): Toolbox {
  const toolbox = toolboxes.get(name);
  if (toolbox !== undefined) return toolbox;
  throw toUnknownToolbox({ config, toolboxes }, name);
}

export function toUnknownToolbox(
  { config, toolboxes }: Pick<Snapshot, 'config' | 'toolboxes'>,
  name: string,
): WorkbenchError {
  const fault = config.leftOut?.toolboxes.get(name);
  const why =
    fault === undefined
      ? ''
      : `It is left out because of the configuration: ${fault.message}. ${fault.fix} [${fault.code}] `;
  return new WorkbenchError('WB1801', `Toolbox ${quote(name)} not found`, {
    fix: `${why}Available toolboxes: ${quoteList(toolboxes.keys())}`,
  });
}

export function getPlacement(toolbox: Toolbox, server: string): Placement {
  const placement = toolbox.placements.get(server) ?? toolbox.groups.get(server)?.[0];
  if (placement !== undefined) return placement;
  throw new WorkbenchError('WB1802', `Server ${quote(server)} not found in toolbox '${toolbox.name}'`, {
    fix: `Available servers: ${quoteList([...toolbox.groups.keys(), ...toolbox.placements.keys()])}`,
  });
}

/** `findFailure` returns what is wrong with a connected server, if anything. */
export function getEntry(
  toolbox: Toolbox,
  kind: Kind,
  { server, name }: Address,
  findFailure?: () => Pick<LinkFailure, 'code' | 'message' | 'fix'> | undefined,
): Entry {
  const entry = findEntry(toolbox, kind, { server, name });
  if (entry !== undefined) return entry;
  const failure = kind === 'tools' ? findFailure?.() : undefined;
  if (failure?.code === 'WB1024') throw new WorkbenchError(failure.code, failure.message, { fix: failure.fix });
  const names = [...new Set([...(toolbox.index[kind].get(server)?.values() ?? [])].map(({ item }) => item.shown))];
  const near = nearestNames(name, names, 5);
  const { noun } = kindRules[kind];
  const fix =
    near.length > 0
      ? `Did you mean: ${quoteList(near)}?`
      : names.length > 0
        ? `Some of its ${noun}s: ${quoteList(names.slice(0, 10))}`
        : `It offers no ${noun}s here.`;
  const what = `${noun.charAt(0).toUpperCase()}${noun.slice(1)}`;
  throw new WorkbenchError(
    'WB1803',
    `${what} ${quote(name)} not found in server '${server}' (toolbox '${toolbox.name}')`,
    {
      fix,
    },
  );
}
