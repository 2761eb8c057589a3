/** Finds the addresses that a person's spelling of a tool can mean. The lookup decides, not the punctuation. */
import {
  type Address,
  type Config,
  type Entry,
  nearestNames,
  toOwnCommand,
  toPrintable,
  WorkbenchError,
} from '../../index.ts';
import { serverNames, toCallNames, unknownServer } from '../run/select-config.ts';

interface Spot {
  readonly toolbox: string;
  readonly server: string;
  readonly key: string;
}

/** Every address the target can mean by the names of toolboxes and servers, most likely first; empty when it names no server. */
export function findAddresses(config: Config, target: string): Address[] {
  const spots = toSpots(config);
  const complete = spots.flatMap((spot) => findMeaning(spot, target, `${spot.toolbox}/${spot.server}/`));
  if (complete.length > 0) return complete.map(({ address }) => address);

  const joints = [...new Set(['.', config.separator, '/'])];
  const meanings = spots
    .flatMap((spot) => joints.flatMap((joint) => findMeaning(spot, target, spot.server + joint)))
    .sort((a, b) => b.spot.server.length - a.spot.server.length);
  const [best] = meanings;
  if (best === undefined) {
    const misspelt = findMisspelt(config, target);
    if (misspelt !== undefined) throw misspelt;
    return [];
  }
  const rivals = meanings.filter(({ spot }) => spot.server === best.spot.server);
  if (new Set(rivals.map(({ spot }) => spot.key)).size > 1) {
    const forms = rivals.map(({ address }) => toForm(address));
    throw ambiguous(`'${target}' can mean different servers of the same name.`, forms);
  }
  return meanings.map(({ address }) => address);
}

/** The address of the only tool of that name, on any server. */
export function resolveToolName(config: Config, entries: readonly Entry[], target: string): Address {
  const keyOf = new Map(toSpots(config).map(({ toolbox, server, key }) => [JSON.stringify([toolbox, server]), key]));
  const owners = new Map<string, Address>();
  for (const { address } of entries) {
    const key = keyOf.get(JSON.stringify([address.toolbox, address.server]));
    if (address.name === target && key !== undefined && !owners.has(key)) owners.set(key, address);
  }
  const [only, ...others] = owners.values();
  if (only === undefined) throw noTarget(config, entries, target);
  if (others.length === 0) return only;
  const addresses = [only, ...others];
  const names = addresses.map(({ server }) => server);
  const plain = new Set(names).size === names.length;
  const forms = addresses.map((address) => (plain ? `${address.server}.${address.name}` : toForm(address)));
  throw ambiguous(`${addresses.length} servers have a tool '${toPrintable(target, 80)}'.`, forms);
}

/** A hint that needs no server: the beginning is almost the name of one. */
function findMisspelt(config: Config, target: string): WorkbenchError | undefined {
  const end = target.search(/[./]/);
  const names = serverNames(config);
  const start = target.slice(0, Math.max(0, end));
  const isAddress = end < 1 || names.includes(target) || config.toolboxes.has(start);
  return isAddress || nearestNames(start, names).length === 0 ? undefined : unknownServer(start, names);
}

/** Instances of a server can be meant together. */
function toSpots(config: Config): Spot[] {
  return [...config.toolboxes.values()].flatMap(({ name, placements }) => {
    const keys = new Map<string, string[]>();
    for (const placement of placements)
      for (const server of toCallNames(placement)) keys.set(server, [...(keys.get(server) ?? []), placement.key]);
    return [...keys].map(([server, of]) => ({ toolbox: name, server, key: of.join(' ') }));
  });
}

function toForm({ toolbox, server, name }: Address): string {
  return `${toolbox}/${server}/${name}`;
}

interface Meaning {
  readonly spot: Spot;
  readonly address: Address;
}

function findMeaning(spot: Spot, target: string, prefix: string): Meaning[] {
  if (!target.startsWith(prefix) || target.length === prefix.length) return [];
  return [{ spot, address: { toolbox: spot.toolbox, server: spot.server, name: target.slice(prefix.length) } }];
}

/** Only the person can say which one is meant. */
function ambiguous(message: string, forms: readonly string[]): WorkbenchError {
  return new WorkbenchError('WB1901', message, { fix: `Write one of: ${forms.join(', ')}` });
}

function noTarget(config: Config, entries: readonly Entry[], target: string): WorkbenchError {
  const names = serverNames(config);
  const [first = '', second] = target.split('/');
  const inFirst = config.toolboxes.get(first)?.placements.flatMap(toCallNames);
  const named = names.includes(target)
    ? target
    : second !== undefined && inFirst?.includes(second)
      ? second
      : undefined;
  if (named !== undefined) {
    return new WorkbenchError('WB1901', `'${target}' is a server; name one of its tools.`, {
      fix: `List them: ${toOwnCommand(['tools'], [named])}`,
    });
  }
  if (inFirst !== undefined && second !== undefined) return unknownServer(second, inFirst);
  const near = nearestTools(target, entries);
  if (near.length > 0) return noTool(target, `Did you mean: ${near.join(', ')}`);
  const end = target.search(/[./]/);
  if (end > 0) return unknownServer(target.slice(0, end), names);
  if (nearestNames(target, names).length > 0) return unknownServer(target, names);
  return noTool(target, `Write server.tool or toolbox/server/tool; list them with: ${toOwnCommand(['tools'])}`);
}

function noTool(target: string, fix: string): WorkbenchError {
  return new WorkbenchError('WB1803', `No server has a tool '${toPrintable(target, 80)}'.`, { fix });
}

function nearestTools(target: string, entries: readonly Entry[]): string[] {
  const forms = new Map(entries.map(({ address }) => [address.name, `${address.server}.${address.name}`]));
  return nearestNames(target, forms.keys()).map((name) => forms.get(name) ?? name);
}
