/** `config`: the configuration file itself. `validate` reads it strictly and starts nothing. */
import { type Config, ConfigError, exitCode, toPrintable, WorkbenchError } from '../../index.ts';
import { pluralize } from '../output/pluralize.ts';
import { type ProblemJson, toProblemJson } from '../output/problem-json.ts';
import { type Context, loadStrictConfig } from '../run/session.ts';
import { findConfigNotes, toNoteLine } from '../service/config-notes.ts';

const actions = new Map([['validate', validate]]);

export async function config(context: Context): Promise<number> {
  const [action = ''] = context.args.positionals;
  const run = actions.get(action);
  if (run !== undefined) return run(context);
  const fix = `Write: mcp-workbench config ${[...actions.keys()].join('|')}`;
  throw new WorkbenchError('WB1901', `Unknown action "${toPrintable(action, 40)}" for config.`, { fix });
}

function validate(context: Context): number {
  const { args, output } = context;
  const json = args.has('json');
  try {
    const valid = loadStrictConfig(context);
    if (json)
      output.json({ schemaVersion: 1, valid: true, path: valid.path ?? null, problems: [], notes: notesOf(valid) });
    else showValid(context, valid);
    return exitCode.ok;
  } catch (error) {
    // A reader of JSON wants the problems as the result, not as a failure of the command.
    if (!json || !(error instanceof WorkbenchError)) throw error;
    const path = error instanceof ConfigError ? error.file : null;
    output.json({ schemaVersion: 1, valid: false, path, problems: problemsOf(error), notes: [] });
    return exitCode.usage;
  }
}

function showValid({ output }: Context, valid: Config): void {
  const { paint } = output;
  const servers = pluralize(valid.servers.size, 'server');
  const size = `mode ${valid.mode}, ${pluralize(valid.toolboxes.size, 'toolbox', 'toolboxes')}, ${servers}`;
  output.line(`${paint.green('✓')} configuration  ${toPrintable(valid.path ?? '')}  ${paint.dim(size)}`);
  for (const note of findConfigNotes(valid))
    output.line(`${paint.yellow('!')} ${toPrintable(toNoteLine(note), 1_000)}`);
}

function notesOf(valid: Config): ProblemJson[] {
  return valid.notes.map(toProblemJson);
}

/** A file that cannot be read at all has one problem, without a place. */
function problemsOf(error: WorkbenchError): ProblemJson[] {
  if (error instanceof ConfigError) return error.problems.map(toProblemJson);
  return [{ code: error.code, path: '', line: null, column: null, message: error.message, fix: error.fix }];
}
