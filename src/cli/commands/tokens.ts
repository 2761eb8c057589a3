/** `tokens`: what the tools cost in the context of a model, in each mode, by server and by toolbox. */
import { type Config, exitCode, type Mode, type SurfaceTexts, type Toolbox, toPrintable } from '../../index.ts';
import { isOutOfReach, toCheckCommand } from '../output/server-report.ts';
import { toTokenLines, toTokenReport } from '../output/token-report.ts';
import { openCounter } from '../run/count-tokens.ts';
import { type Context, loadCommandConfig, loadConfigFor, openServers, withWorkbench } from '../run/session.ts';

const measured: readonly Mode[] = ['flat', 'meta', 'dynamic', 'search'];

export async function tokens(context: Context): Promise<number> {
  const { args, output } = context;
  const { name, count, show } = openCounter(args.has('exact'));
  const config = loadCommandConfig(context);
  const surfaces: SurfaceTexts[] = [];
  let toolboxes: readonly Toolbox[] = [];
  for (const { config: shown, modes } of groupModes(context)) {
    const found = await collect(context, shown, modes);
    surfaces.push(...found.surfaces);
    if (modes.includes('meta')) toolboxes = found.toolboxes;
  }
  const inOrder = measured.flatMap((mode) => surfaces.filter((surface) => surface.mode === mode));
  const report = toTokenReport({ mode: config.mode, surfaces: inOrder, toolboxes, count });
  if (args.has('json')) output.json({ schemaVersion: 1, counted: name, ...report });
  else
    for (const line of toTokenLines(report, { width: output.width, bold: output.paint.bold, show })) output.line(line);
  if (report.servers.length === 0) output.note('There are no tools.');
  else if (name === 'estimate' && !args.has('json')) output.note('~ estimated; --exact counts with a tokenizer');
  return exitCode.ok;
}

/** A file without toolboxes has one for each server in some modes: modes with the same toolboxes are measured together. */
function groupModes(context: Context): { config: Config; modes: Mode[] }[] {
  const groups = new Map<string, { config: Config; modes: Mode[] }>();
  for (const mode of measured) {
    const config = loadConfigFor(context, mode);
    const key = JSON.stringify([...config.toolboxes]);
    const group = groups.get(key) ?? { config, modes: [] };
    group.modes.push(mode);
    groups.set(key, group);
  }
  return [...groups.values()];
}

async function collect(context: Context, config: Config, modes: readonly Mode[]) {
  const { args, io, output } = context;
  const fresh = args.has('fresh');
  return withWorkbench(context, { config, fresh }, async (session) => {
    const { workbench } = session;
    await openServers(context, session, { start: fresh ? 'all' : 'missing', servers: [...config.servers.keys()] });
    for (const { name } of workbench.servers().filter(isOutOfReach))
      output.note(`✗ ${toPrintable(name)} is not counted: its tools are not known  ${toCheckCommand(name)}`);
    return { surfaces: await io.library.collectSurfaces(workbench, modes), toolboxes: workbench.toolboxes() };
  });
}
