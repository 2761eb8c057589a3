/** Which server a call goes to: the one of its place or, for several instances, the one that its arguments select. */
import { findMember, isObject, type JsonObject } from '../../base/json/json.ts';
import type { Placement } from '../../config/model/config.ts';
import { toOwnCall, toUnselected } from '../../toolbox/shape/own-arguments.ts';
import { findEntry, type Toolbox } from '../../toolbox/toolbox.ts';
import type { Snapshot } from '../view/snapshot.ts';
import { getPlacement, getToolbox } from './resolve.ts';

/** The name is that of a tool; undefined for calls that are not about one. */
export interface RoutedPlace {
  readonly toolbox: string;
  readonly server: string;
  readonly name?: string;
}

/** Throws a WorkbenchError when the place does not exist, or when the arguments do not select an instance. */
export function getRoute(snapshot: Snapshot, place: RoutedPlace, params: JsonObject): Placement {
  const toolbox = getToolbox(snapshot, place.toolbox);
  const group = toolbox.groups.get(place.server);
  if (group === undefined || place.name === undefined) return getPlacement(toolbox, place.server);
  const key = findRoute(toolbox, { server: place.server, name: place.name }, params);
  return group.find((placement) => placement.key === key) ?? selectUnheard(snapshot, toolbox, place, params);
}

function findRoute(toolbox: Toolbox, at: { server: string; name: string }, params: JsonObject): string | undefined {
  const entry = findEntry(toolbox, 'tools', at);
  if (entry?.shaped === undefined) return undefined;
  return toOwnCall(entry.item.shown, entry.shaped, findMember(params, 'arguments')).key;
}

/** The tool is not known: the instance that the call names is started to find out, or the first when all have been heard. */
function selectUnheard(
  { catalog }: Snapshot,
  toolbox: Toolbox,
  { server, name = '' }: RoutedPlace,
  params: JsonObject,
): Placement {
  const group = toolbox.groups.get(server) ?? [];
  const first = getPlacement(toolbox, server);
  const args = findMember(params, 'arguments');
  const argument = group[0]?.instance.argument ?? '';
  const wanted = isObject(args) ? findMember(args, argument) : undefined;
  const selected = group.find(({ instance }) => (wanted === undefined ? instance.preset : instance.name === wanted));
  if (selected !== undefined) return selected;
  if (group.every(({ key, instance }) => !instance.usable || catalog.has(key))) return first;
  throw toUnselected(
    name,
    argument,
    wanted,
    group.map(({ instance }) => instance.name),
  );
}
