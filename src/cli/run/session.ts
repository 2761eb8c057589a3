/** The frame around every command that needs servers: loads the configuration, opens the workbench, and always closes it again. */

import { untilAborted } from '../../base/async/until-aborted.ts';
import { defined } from '../../base/json/defined.ts';
import { learnSecrets } from '../../base/text/redact.ts';
import {
  type Config,
  createRedactor,
  isClientId,
  listClientIds,
  type Mode,
  nearestNames,
  type Redactor,
  stateOwnProgram,
  toPrintable,
  type Workbench,
  WorkbenchError,
} from '../../index.ts';
import type { Args } from '../args/args.ts';
import { hideSecrets } from '../output/failure.ts';
import type { Output } from '../output/output.ts';
import { createProgressLine, type ProgressLine, watchStarts } from '../output/progress.ts';
import { openAccount } from '../record/account.ts';
import { createLogs } from '../record/logs.ts';
import type { Io } from './io.ts';
import { startServers, type ViewQuestion } from './view.ts';

export interface Context {
  readonly io: Io;
  readonly args: Args;
  readonly output: Output;
}

/** Runs a command and returns its exit code. */
export type Command = (context: Context) => Promise<number>;

export interface CommandSession {
  readonly workbench: Workbench;
  readonly progress: ProgressLine;
  /** Secrets of the configuration replaced by their names. */
  hide(text: string): string;
}

/** The parts without mistakes; the others are in `leftOut`. Throws when nothing is left. */
export function loadCommandConfig(context: Context): Config {
  return load(context, { leaveOut: true });
}

/** The same as it is read for a mode: a file without toolboxes has others in each. */
export function loadConfigFor(context: Context, mode: Mode): Config {
  return load(context, { leaveOut: true, mode });
}

/** Throws on any mistake. */
export function loadStrictConfig(context: Context): Config {
  return load(context, { leaveOut: false });
}

function load(context: Context, how: { readonly leaveOut: boolean; readonly mode?: Mode }): Config {
  const { io, args } = context;
  const flag = args.text('config');
  const config = io.library.loadConfig({
    ...{ ...toReadOptions(context), ...how, cwd: io.cwd },
    ...defined({ flag }),
  });
  stateOwnProgram({ config: isFoundAgain(context) ? undefined : config.path });
  checkClientId(args.text('client'), config);
  return config;
}

/** The id may be one of the configuration, so it is checked when that is known. */
function checkClientId(id: string | undefined, config: Config): void {
  if (id === undefined || isClientId(config, id)) return;
  const near = nearestNames(id, listClientIds(config));
  const fix = `${near.length === 0 ? '' : `Did you mean: ${near.join(', ')}? `}Known ids: ${listClientIds(config).join(', ')}.`;
  throw new WorkbenchError('WB1901', `--client: "${toPrintable(id, 80)}" is not the id of a client.`, { fix });
}

/** Whether a hint of this command, typed in the same place, uses the same configuration. */
function isFoundAgain({ io, args }: Context): boolean {
  const { command = io.tty.stdin ? 'status' : 'serve' } = args;
  const isTyped = command !== 'serve' && command !== 'attach' && command !== 'daemon';
  return isTyped && args.text('config') === undefined && !io.env.WORKBENCH_CONFIG;
}

/** How a configuration file is read, at any path. */
export function toReadOptions({ io, args }: Context): {
  env: NodeJS.ProcessEnv;
  trust: boolean;
  mode?: Mode;
  separator?: string;
} {
  const mode = args.text('mode') as Mode | undefined; // the parser has checked it against the choices
  const separator = args.text('separator');
  return {
    env: io.env,
    trust: args.has('trust-config'),
    ...defined({ mode, separator }),
  };
}

export interface WorkbenchWish {
  readonly config: Config;
  /** Uses nothing that earlier runs have stored. */
  readonly fresh: boolean;
}

/** Ends with the task, or at once when the program has to stop; in both cases the workbench is closed before it returns. */
export async function withWorkbench<T>(
  context: Context,
  { config, fresh }: WorkbenchWish,
  task: (session: CommandSession) => Promise<T>,
): Promise<T> {
  const { io, args } = context;
  io.signal.throwIfAborted();
  const redactor = createConfigRedactor(config);
  const logs = createLogs({ io, args, redactor, level: 'error' });
  const progress = createProgressLine(io, args);
  const account = openAccount(context, { redactor, log: logs.log, live: false });
  try {
    const workbench = io.library.createWorkbench({ config, redactor, ...account.watching, ...toState(io), fresh });
    try {
      return await untilAborted(io.signal, task({ workbench, progress, hide: (text) => redactor.hide(text) }));
    } catch (error) {
      throw hideSecrets(error, (text) => redactor.hide(text));
    } finally {
      progress.clear();
      await workbench.close();
    }
  } finally {
    account.close();
    logs.close();
  }
}

/** Starts the servers that the question names and waits, naming the slow ones. */
export async function openServers(
  { io }: Context,
  { workbench, progress }: CommandSession,
  question: ViewQuestion,
): Promise<void> {
  const stopWatching = watchStarts(workbench, io, progress);
  try {
    await startServers(workbench, question);
  } finally {
    stopWatching();
  }
}

/** Where the workbench may keep files between runs. */
export function toState({ stateDir }: Io): { stateDir?: string } {
  return stateDir === undefined ? {} : { stateDir };
}

export function createConfigRedactor(config: Config): Redactor {
  const redactor = createRedactor();
  learnSecrets(config, redactor);
  return redactor;
}
