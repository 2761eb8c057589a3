/** `check`: checks the configuration and every server, step by step, and says what to do about each problem. */

import { defined } from '../../base/json/defined.ts';
import { modeFacts } from '../../base/mode.ts';
import { type Config, errorTable, exitCode, type ServerStatus, toPrintable } from '../../index.ts';
import { look } from '../instance/look.ts';
import { type CheckStep, toCheckSteps } from '../output/check-steps.ts';
import { showClients, showSchemaChanges, withClient } from '../output/client-lines.ts';
import type { Output } from '../output/output.ts';
import { pluralize } from '../output/pluralize.ts';
import { type ProblemJson, toProblemJson } from '../output/problem-json.ts';
import { findSchemaChanges } from '../output/schema-changes.ts';
import { hasFailed, paintMark, toMark, toNameText, worstExit } from '../output/server-report.ts';
import { showMistakes } from '../output/show-mistakes.ts';
import { padToWidth } from '../output/text-width.ts';
import { withServer } from '../run/select-config.ts';
import { type Context, loadCommandConfig } from '../run/session.ts';
import type { View, ViewedServer } from '../run/view.ts';
import { type ConfigNote, findConfigNotes, findNameNotes, toNoteLine } from '../service/config-notes.ts';

const lastLines = 8;

export async function check(context: Context): Promise<number> {
  const { args, output } = context;
  const whole = loadCommandConfig(context);
  const [wanted] = args.positionals;
  const config = wanted === undefined ? whole : withServer(whole, wanted);
  const json = args.has('json');
  const notes = findConfigNotes(config);
  const mistakes = whole.leftOut?.error;
  if (!json) {
    if (mistakes !== undefined) showMistakes(context, mistakes);
    showConfig(output, { config: whole, notes, mistakes: mistakes?.problems.length ?? 0 });
  }

  const view = await look(context, {
    config: whole,
    wanted: config,
    start: { running: 'all', alone: 'all' },
    fresh: args.has('fresh'),
  });
  const { servers } = view;
  const id = args.text('client');
  const clients = view.clients && withClient(view.clients, id);
  const isSimplified = clients?.clients.some((client) => client.id === id && client.schemas === 'portable');
  const changes = isSimplified === true ? findSchemaChanges(view.toolboxes) : undefined;
  const findings = findNotes(view, config);
  const stages = (server: ServerStatus) => (config.leftOut?.servers.has(server.key) ? notRead : toCheckSteps(server));
  if (json) {
    const problems = (mistakes?.problems ?? []).map(toProblemJson);
    const report = { notes: [...notes, ...findings], problems, servers, stages };
    output.json({ ...toJson(config, report), ...defined({ clients, schemaChanges: changes }) });
  } else {
    for (const server of servers) showServer(output, server, stages(server));
    if (clients !== undefined) showClients(output, clients);
    if (changes !== undefined) showSchemaChanges(output, changes);
    if (findings.length > 0) output.line();
    showNotes(output, findings);
  }
  // A server that is left out counts as wrong here.
  return mistakes === undefined ? worstExit(servers) : exitCode.usage;
}

/** Mistakes in the file come before anything that could be tried. */
const notRead: readonly CheckStep[] = [{ name: 'configuration', state: 'failed' }];

interface Report {
  readonly notes: readonly ConfigNote[];
  readonly problems: readonly ProblemJson[];
  readonly servers: readonly ViewedServer[];
  stages(server: ServerStatus): readonly CheckStep[];
}

/** Problems that only the lists of the servers show. */
function findNotes(view: View, config: Config): ConfigNote[] {
  const { toolboxes, collisions, idleFilters, shapeProblems, clients } = view;
  const publicNames = toolboxes.flatMap(({ entries }) => entries.flatMap((entry) => entry.publicName ?? []));
  return [
    ...collisions.map((message) => ({ code: 'WB1701', message }) as const),
    ...(modeFacts[config.mode].publicNames === 'none' ? [] : findNameNotes(config, [...new Set(publicNames)])),
    ...idleFilters.map((message) => ({ code: 'WB1705', message }) as const),
    ...shapeProblems,
    ...(clients?.lostPins ?? []).map(toPinNote),
  ];
}

function toPinNote(pin: string): ConfigNote {
  const message = `"pinned" has "${toPrintable(pin, 150)}", which is not a tool that is shown`;
  return { code: 'WB1835', message, fix: errorTable.WB1835.fix };
}

function toJson(config: Config, { notes, problems, servers, stages }: Report) {
  return {
    schemaVersion: 1,
    config: { path: config.path ?? null, mode: config.mode, notes, problems },
    servers: servers.map((server) => ({
      key: server.key,
      name: server.name,
      state: server.state,
      stages: stages(server),
      ...defined({ failure: server.failure, stderr: server.stderr }),
      notes: server.notes,
    })),
  };
}

function showConfig(
  output: Output,
  { config, notes, mistakes }: { config: Config; notes: readonly ConfigNote[]; mistakes: number },
): void {
  const { paint } = output;
  const mark = mistakes === 0 ? paint.green('✓') : paint.red('✗');
  const size = `mode ${config.mode}, ${pluralize(config.toolboxes.size, 'toolbox', 'toolboxes')}, ${pluralize(config.servers.size, 'server')}`;
  const wrong = mistakes === 0 ? '' : `  ${pluralize(mistakes, 'mistake')}`;
  output.line(`${mark} configuration  ${toPrintable(config.path ?? '')}  ${paint.dim(size)}${wrong}`);
  showNotes(output, notes);
}

function showNotes({ paint, line }: Output, notes: readonly ConfigNote[]): void {
  for (const note of notes) line(`${paint.yellow('!')} ${toPrintable(toNoteLine(note), 1_000)}`);
}

function showServer(output: Output, server: ViewedServer, stages: readonly CheckStep[]): void {
  const { paint } = output;
  output.line();
  output.line(`${paint.bold(toNameText(server))}  ${paint.dim(toPrintable(server.shown))}`);
  if (server.state === 'disabled') {
    output.line(`  ${paint.dim('⊘')} disabled`);
    return;
  }
  for (const stage of stages) output.line(toStageLine(output, stage, server));
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

function toStageLine({ paint }: Output, { name, state, detail }: CheckStep, server: ServerStatus): string {
  const mark = paintMark(paint, state === 'failed' ? toMark(server) : stageMarks[state]);
  const said = state === 'failed' ? (server.failure?.code ?? '') : state === 'untried' ? 'not tried' : (detail ?? '');
  return `  ${mark} ${padToWidth(name, 14)}  ${toPrintable(said)}`.trimEnd();
}
