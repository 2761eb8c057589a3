/** `tokens`: what the tools cost in the context of a model, in each mode, by client, by server and by toolbox. */
import { type CollectOptions, type Config, exitCode, type FixedMode, listClientIds, toPrintable } from '../../index.ts';
import { isOutOfReach, toCheckCommand } from '../output/server-report.ts';
import { toTokenLines, toTokenReport } from '../output/token-report.ts';
import { openCounter } from '../run/count-tokens.ts';
import { type Context, loadCommandConfig, loadConfigFor, openServers, withWorkbench } from '../run/session.ts';

const measured: readonly FixedMode[] = ['flat', 'meta', 'dynamic', 'search'];

export async function tokens(context: Context): Promise<number> {
  const { args, output } = context;
  const { name, count, show } = openCounter(args.has('exact'));
  const config = loadCommandConfig(context);
  const [now, ...others] = groupModes(context, config);
  const own = await collect(context, now.config, { modes: now.modes, clients: clientsOf(context, config) });
  const surfaces = [...own.surfaces];
  for (const group of others) surfaces.push(...(await collect(context, group.config, group)).surfaces);
  const report = toTokenReport({
    mode: config.mode,
    modes: measured.flatMap((mode) =>
      surfaces.filter((surface) => surface.mode === mode && surface.clients === undefined),
    ),
    clients: surfaces.filter(({ clients }) => clients !== undefined),
    toolboxes: own.toolboxes,
    count,
  });
  if (args.has('json')) output.json({ schemaVersion: 1, counted: name, ...report });
  else for (const line of toTokenLines(report, { ...output, bold: output.paint.bold, show })) output.line(line);
  for (const server of own.missing)
    output.note(`✗ ${toPrintable(server)} is not counted: its tools are not known  ${toCheckCommand(server)}`);
  if (report.servers.length === 0) output.note('There are no tools.');
  else if (name === 'estimate' && !args.has('json')) output.note('~ estimated; --exact counts with a tokenizer');
  return exitCode.ok;
}

/** Clients differ in mode auto, where the configuration has settings for them, and when a person asks about one. */
function clientsOf({ args }: Context, config: Config): string[] {
  const client = args.text('client');
  if (client !== undefined) return [client];
  return config.mode === 'auto' || config.clients.size > 0 ? listClientIds(config) : [];
}

interface ModeGroup {
  readonly config: Config;
  readonly modes: FixedMode[];
}

/** A file without toolboxes has one for each server in some modes: modes with the same toolboxes are measured together, those of the file first. */
function groupModes(context: Context, config: Config): [ModeGroup, ...ModeGroup[]] {
  const keyOf = ({ toolboxes }: Config) => JSON.stringify([...toolboxes]);
  const now: ModeGroup = { config, modes: [] };
  const others = new Map<string, ModeGroup>();
  for (const mode of measured) {
    const read = loadConfigFor(context, mode);
    const group = keyOf(read) === keyOf(config) ? now : (others.get(keyOf(read)) ?? { config: read, modes: [] });
    group.modes.push(mode);
    if (group !== now) others.set(keyOf(read), group);
  }
  return [now, ...others.values()];
}

async function collect(context: Context, config: Config, options: CollectOptions) {
  const { args, io } = context;
  const fresh = args.has('fresh');
  return withWorkbench(context, { config, fresh }, async (session) => {
    const { workbench } = session;
    await openServers(context, session, { start: fresh ? 'all' : 'missing', servers: [...config.servers.keys()] });
    return {
      surfaces: await io.library.collectSurfaces(workbench, options),
      toolboxes: workbench.toolboxes(),
      missing: workbench
        .servers()
        .filter(isOutOfReach)
        .map(({ name }) => name),
    };
  });
}
