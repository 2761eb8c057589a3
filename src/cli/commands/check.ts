/** `check`: the configuration and every server, step by step, and what to do about what is wrong. */
import { type Config, type ServerStatus, toPrintable, type Workbench } from '../../index.ts';
import { type ConfigNote, findConfigNotes, findNameNotes, toNoteLine } from '../config-notes.ts';
import { toCount } from '../count.ts';
import { withServer } from '../narrow.ts';
import type { Output } from '../output.ts';
import { hasFailed, paintMark, toMark, toNameText, toServerReport, worstExit } from '../server-report.ts';
import { type Context, loadCommandConfig, openServers, withWorkbench } from '../session.ts';
import { type Stage, toStages } from '../stages.ts';
import { padToWidth } from '../text-width.ts';

const lastLines = 8;

export async function check(context: Context): Promise<number> {
  const { args, output } = context;
  const whole = loadCommandConfig(context);
  const [wanted] = args.positionals;
  const config = wanted === undefined ? whole : withServer(whole, wanted);
  const json = args.has('json');
  const notes = findConfigNotes(config);
  if (!json) showConfig(output, config, notes);

  const { servers, findings } = await withWorkbench(context, config, async (session) => {
    await openServers(context, session);
    return {
      servers: session.workbench.servers().map((server) => toServerReport(server, session.hide)),
      findings: findNotes(session.workbench, config),
    };
  });
  if (json) output.json(toJson(config, [...notes, ...findings], servers));
  else {
    for (const server of servers) showServer(output, server);
    if (findings.length > 0) output.line();
    showNotes(output, findings);
  }
  return worstExit(servers);
}

/** What only the lists of the servers show. */
function findNotes(workbench: Workbench, config: Config): ConfigNote[] {
  const publicNames = workbench
    .toolboxes()
    .flatMap(({ entries }) => entries.flatMap((entry) => entry.publicName ?? []));
  return [
    ...workbench.collisions().map((message) => ({ code: 'WB1701', message }) as const),
    ...(config.mode === 'meta' ? [] : findNameNotes(config, [...new Set(publicNames)])),
    ...workbench.filters.idle().map((message) => ({ code: 'WB1705', message }) as const),
  ];
}

function toJson(config: Config, notes: readonly ConfigNote[], servers: readonly ServerStatus[]) {
  return {
    schemaVersion: 1,
    config: { path: config.path ?? null, mode: config.mode, notes },
    servers: servers.map((server) => ({
      key: server.key,
      name: server.name,
      state: server.state,
      stages: toStages(server),
      ...(server.failure === undefined ? {} : { failure: server.failure }),
      notes: server.notes,
    })),
  };
}

function showConfig(output: Output, config: Config, notes: readonly ConfigNote[]): void {
  const { paint } = output;
  const size = `mode ${config.mode}, ${toCount(config.toolboxes.size, 'toolbox', 'toolboxes')}, ${toCount(config.servers.size, 'server')}`;
  output.line(`${paint.green('✓')} configuration  ${toPrintable(config.path ?? '')}  ${paint.dim(size)}`);
  showNotes(output, notes);
}

function showNotes({ paint, line }: Output, notes: readonly ConfigNote[]): void {
  for (const note of notes) line(`${paint.yellow('!')} ${toPrintable(toNoteLine(note), 1_000)}`);
}

function showServer(output: Output, server: ServerStatus): void {
  const { paint } = output;
  output.line();
  output.line(`${paint.bold(toNameText(server))}  ${paint.dim(toPrintable(server.shown))}`);
  if (server.state === 'disabled') {
    output.line(`  ${paint.dim('⊘')} disabled`);
    return;
  }
  for (const stage of toStages(server)) output.line(toStageLine(output, stage, server));
  for (const { code, message } of server.notes) {
    output.line(`  ${paint.yellow('!')} ${toPrintable(message, 1_000)}  ${paint.dim(code)}`);
  }
  if (!hasFailed(server) || server.failure === undefined) return;
  const { message, stderr, fix } = server.failure;
  output.line(`  ${toPrintable(message, 1_000)}`);
  for (const line of stderr.slice(-lastLines)) output.line(paint.dim(`    | ${toPrintable(line)}`));
  output.line(`  Fix  ${toPrintable(fix)}`);
}

const stageMarks = { passed: '✓', failed: '✗', waiting: '…', untried: '–' } as const;

function toStageLine({ paint }: Output, { name, state, detail }: Stage, server: ServerStatus): string {
  const mark = paintMark(paint, state === 'failed' ? toMark(server) : stageMarks[state]);
  const said = state === 'failed' ? (server.failure?.code ?? '') : state === 'untried' ? 'not tried' : (detail ?? '');
  return `  ${mark} ${padToWidth(name, 14)}  ${toPrintable(said)}`.trimEnd();
}
