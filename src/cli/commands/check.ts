/** `check`: the configuration and every server, step by step, and what to do about what is wrong. */
import { type Config, type ServerStatus, toPrintable } from '../../index.ts';
import { type ConfigNote, findConfigNotes, toNoteLine } from '../config-notes.ts';
import { toCount } from '../count.ts';
import { look } from '../look.ts';
import { withServer } from '../narrow.ts';
import type { Output } from '../output.ts';
import { hasFailed, paintMark, toMark, worstExit } from '../server-report.ts';
import { type Context, loadCommandConfig } from '../session.ts';
import { type Stage, toStages } from '../stages.ts';
import { padToWidth } from '../text-width.ts';
import type { ViewedServer } from '../view.ts';

const lastLines = 8;

export async function check(context: Context): Promise<number> {
  const { args, output } = context;
  const whole = loadCommandConfig(context);
  const [wanted] = args.positionals;
  const config = wanted === undefined ? whole : withServer(whole, wanted);
  const json = args.has('json');
  const notes = findConfigNotes(config);
  if (!json) showConfig(output, whole, notes);

  const view = await look(context, {
    config: whole,
    wanted: config,
    start: { running: 'all', alone: 'all' },
    fresh: args.has('fresh'),
  });
  const { servers } = view;
  const collisions = view.collisions.map((message): ConfigNote => ({ code: 'WB1701', message }));
  if (json) output.json(toJson(config, [...notes, ...collisions], servers));
  else {
    for (const server of servers) showServer(output, server);
    if (collisions.length > 0) output.line();
    showNotes(output, collisions);
  }
  return worstExit(servers);
}

function toJson(config: Config, notes: readonly ConfigNote[], servers: readonly ViewedServer[]) {
  return {
    schemaVersion: 1,
    config: { path: config.path ?? null, mode: config.mode, notes },
    servers: servers.map((server) => ({
      key: server.key,
      name: server.name,
      state: server.state,
      stages: toStages(server),
      ...(server.failure === undefined ? {} : { failure: server.failure }),
      ...(server.stderr === undefined ? {} : { stderr: server.stderr }),
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

function showServer(output: Output, server: ViewedServer): void {
  const { paint } = output;
  output.line();
  output.line(`${paint.bold(toPrintable(server.name))}  ${paint.dim(toPrintable(server.shown))}`);
  if (server.state === 'disabled') {
    output.line(`  ${paint.dim('⊘')} disabled`);
    return;
  }
  for (const stage of toStages(server)) output.line(toStageLine(output, stage, server));
  for (const { code, message } of server.notes) {
    output.line(`  ${paint.yellow('!')} ${toPrintable(message, 1_000)}  ${paint.dim(code)}`);
  }
  const showLines = (lines: readonly string[]) => {
    for (const line of lines.slice(-lastLines)) output.line(paint.dim(`    | ${toPrintable(line)}`));
  };
  if (!hasFailed(server) || server.failure === undefined) {
    if (server.stderr !== undefined) output.line(paint.dim('  last on stderr'));
    showLines(server.stderr ?? []);
    return;
  }
  const { message, stderr, fix } = server.failure;
  output.line(`  ${toPrintable(message, 1_000)}`);
  showLines(stderr);
  output.line(`  Fix  ${toPrintable(fix)}`);
}

const stageMarks = { passed: '✓', failed: '✗', waiting: '…', untried: '–' } as const;

function toStageLine({ paint }: Output, { name, state, detail }: Stage, server: ServerStatus): string {
  const mark = paintMark(paint, state === 'failed' ? toMark(server) : stageMarks[state]);
  const said = state === 'failed' ? (server.failure?.code ?? '') : state === 'untried' ? 'not tried' : (detail ?? '');
  return `  ${mark} ${padToWidth(name, 14)}  ${toPrintable(said)}`.trimEnd();
}
