/** From what a person writes for a tool to the addresses it can mean. The lookup decides, not the punctuation. */
import { type Address, type Config, toOwnCommand, WorkbenchError } from '../index.ts';
import { serverNames, unknownServer } from './narrow.ts';

interface Spot {
  readonly toolbox: string;
  readonly server: string;
  readonly key: string;
}

/** Every address the target can mean, most likely first; never empty. */
export function resolveTarget(config: Config, target: string): Address[] {
  const spots: Spot[] = [...config.toolboxes.values()].flatMap(({ name, placements }) =>
    placements.map(({ server, key }) => ({ toolbox: name, server, key })),
  );
  const complete = spots.flatMap((spot) => findMeaning(spot, target, `${spot.toolbox}/${spot.server}/`));
  if (complete.length > 0) return complete.map(({ address }) => address);

  const joints = [...new Set(['.', config.separator])];
  const meanings = spots
    .flatMap((spot) => joints.flatMap((joint) => findMeaning(spot, target, spot.server + joint)))
    .sort((a, b) => b.spot.server.length - a.spot.server.length);
  const [best] = meanings;
  if (best === undefined) throw noTarget(config, target);
  const rivals = meanings.filter(({ spot }) => spot.server === best.spot.server);
  if (new Set(rivals.map(({ spot }) => spot.key)).size > 1) throw ambiguous(target, rivals);
  return meanings.map(({ address }) => address);
}

interface Meaning {
  readonly spot: Spot;
  readonly address: Address;
}

function findMeaning(spot: Spot, target: string, prefix: string): Meaning[] {
  if (!target.startsWith(prefix) || target.length === prefix.length) return [];
  return [{ spot, address: { toolbox: spot.toolbox, server: spot.server, name: target.slice(prefix.length) } }];
}

/** One name for two different servers: only the person can say which one is meant. */
function ambiguous(target: string, rivals: readonly Meaning[]): WorkbenchError {
  const forms = rivals.map(({ address: { toolbox, server, name } }) => `${toolbox}/${server}/${name}`);
  return new WorkbenchError('WB1901', `'${target}' can mean different servers of the same name.`, {
    fix: `Write one of: ${forms.join(', ')}`,
  });
}

function noTarget(config: Config, target: string): WorkbenchError {
  const names = serverNames(config);
  if (names.includes(target)) {
    return new WorkbenchError('WB1901', `'${target}' is a server; which of its tools?`, {
      fix: `List them: ${toOwnCommand(['tools'], [target])}`,
    });
  }
  const end = target.search(/[./]/);
  if (end < 1) {
    return new WorkbenchError('WB1901', `'${target}' does not say which tool of which server.`, {
      fix: `Write server.tool or toolbox/server/tool; list them with: ${toOwnCommand(['tools'])}`,
    });
  }
  const [toolbox, server] = target.split('/');
  const inToolbox = toolbox === undefined ? undefined : config.toolboxes.get(toolbox);
  if (inToolbox === undefined || server === undefined) return unknownServer(target.slice(0, end), names);
  return unknownServer(
    server,
    inToolbox.placements.map((placement) => placement.server),
  );
}
