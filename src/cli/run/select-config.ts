/** Reduces a configuration to what one command needs, so that nothing else is started for it. */
import { type Config, nearestNames, type ToolboxDefinition, WorkbenchError } from '../../index.ts';

interface ToolboxServer {
  readonly toolbox: string;
  readonly server: string;
}

type Placement = ToolboxDefinition['placements'][number];

/** The names under which tools of this place are called: an instance shares one with others. */
export function toCallNames({ server, instance }: Placement): string[] {
  return instance === undefined ? [server] : [instance.of, server];
}

/** The same configuration with only some placements, their servers, and the toolboxes that are left. */
export function withPlaces(config: Config, keep: (place: ToolboxServer) => boolean): Config {
  const toolboxes = new Map(
    [...config.toolboxes]
      .map(([name, toolbox]) => {
        const placements = toolbox.placements.filter((placement) =>
          toCallNames(placement).some((server) => keep({ toolbox: name, server })),
        );
        return [name, { ...toolbox, placements }] as const;
      })
      .filter(([, { placements }]) => placements.length > 0),
  );
  const keys = new Set([...toolboxes.values()].flatMap(({ placements }) => placements.map(({ key }) => key)));
  const leftOut = narrowLeftOut(config.leftOut, keys);
  return { ...config, toolboxes, servers: new Map([...config.servers].filter(([key]) => keys.has(key))), leftOut };
}

/** Mistakes in other parts do not concern this command. */
function narrowLeftOut(leftOut: Config['leftOut'], keys: ReadonlySet<string>): Config['leftOut'] {
  if (leftOut === undefined) return undefined;
  const servers = new Map([...leftOut.servers].filter(([key]) => keys.has(key)));
  return servers.size === 0 ? undefined : { ...leftOut, servers, toolboxes: new Map() };
}

/** Reduced to one server, in every toolbox that contains it. */
export function withServer(config: Config, server: string): Config {
  const names = serverNames(config);
  const label = names.includes(server) ? server : findLabel(config, server);
  if (label === undefined) throw unknownServer(server, names);
  return withPlaces(config, (place) => place.server === label);
}

/** The names that this server has in its toolboxes. */
function findLabel({ toolboxes, servers }: Config, name: string): string | undefined {
  const placements = [...toolboxes.values()].flatMap((toolbox) => toolbox.placements);
  return placements.find(({ key }) => servers.get(key)?.name === name)?.server;
}

/** Reduced to one toolbox. */
export function withToolbox(config: Config, toolbox: string): Config {
  if (!config.toolboxes.has(toolbox)) {
    const names = [...config.toolboxes.keys()];
    throw new WorkbenchError('WB1801', `Toolbox '${toolbox}' not found.`, { fix: toSuggestion(toolbox, names) });
  }
  return withPlaces(config, (place) => place.toolbox === toolbox);
}

export function serverNames(config: Config): string[] {
  return [...new Set([...config.toolboxes.values()].flatMap(({ placements }) => placements.flatMap(toCallNames)))];
}

export function unknownServer(server: string, names: readonly string[]): WorkbenchError {
  return new WorkbenchError('WB1802', `Server '${server}' not found.`, { fix: toSuggestion(server, names) });
}

function toSuggestion(name: string, names: readonly string[]): string {
  if (names.length === 0) return 'The configuration does not have any; add one.';
  const near = nearestNames(name, names);
  return near.length > 0 ? `Did you mean: ${near.join(', ')}` : `There are: ${names.join(', ')}.`;
}
