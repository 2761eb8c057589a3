/** From a command line to an exit code. Nothing else decides how the program ends. */
import { untilAborted } from '../../base/async/until-aborted.ts';
import { errorTable, exitCode, toPrintable, type WorkbenchError } from '../../index.ts';
import { type Args, parseArgs, resolveCommandName, wantsJson } from '../args/args.ts';
import type { CommandName } from '../args/command-table.ts';
import { toCommandHelp, toGeneralHelp } from '../args/help.ts';
import { attach } from '../commands/attach.ts';
import { auth } from '../commands/auth.ts';
import { call } from '../commands/call.ts';
import { check } from '../commands/check.ts';
import { config } from '../commands/config.ts';
import { daemon } from '../commands/daemon.ts';
import { demo } from '../commands/demo.ts';
import { list } from '../commands/list.ts';
import { ps } from '../commands/ps.ts';
import { search } from '../commands/search.ts';
import { serve } from '../commands/serve.ts';
import { status } from '../commands/status.ts';
import { stop } from '../commands/stop.ts';
import { tokens } from '../commands/tokens.ts';
import { tools } from '../commands/tools.ts';
import { showFailure, toExitCode, toShownError } from '../output/failure.ts';
import { createOutput } from '../output/output.ts';
import type { Io } from '../run/io.ts';
import type { Command } from '../run/session.ts';

const commands: Record<CommandName, Command> = {
  serve,
  attach,
  daemon,
  list,
  tools,
  search,
  tokens,
  call,
  check,
  config,
  auth,
  ps,
  stop,
  demo,
  help,
};

export async function main(argv: readonly string[], io: Io): Promise<number> {
  try {
    const args = parseArgs(argv);
    const command = toCommand(args, io);
    const output = createOutput(io, args);
    if (io.stateFault !== undefined && command !== help && command !== version) output.note(toStateNote(io.stateFault));
    return await command({ io, args, output });
  } catch (error) {
    // A failure while an interrupted command ends is a consequence and not worth reporting.
    if (io.signal.aborted) return exitCode.interrupted;
    const failure = toShownError(error);
    const has = (flag: string) => argv.includes(flag);
    showFailure(io, failure, { json: wantsJson(argv), debug: has('--debug'), plain: has('--no-color') });
    if (isForClient(failure, argv, io)) await tellClient(failure, io);
    return toExitCode(failure);
  }
}

/** The warning that the state is off, shown once. */
function toStateNote(fault: string): string {
  return `warning nothing is kept between runs: ${toPrintable(fault)}. ${errorTable.WB1920.fix} WB1920`;
}

/** A client that started us waits for an answer, and may not show what we print. */
function isForClient(failure: WorkbenchError, argv: readonly string[], { tty }: Io): boolean {
  if (tty.stdin || toExitCode(failure) !== exitCode.usage) return false;
  // A flag in front means that there is no command, even where the rest cannot be parsed.
  const [first = '-'] = argv;
  const serves = first.startsWith('-') || ['serve', 'run', 'attach'].includes(first);
  return serves && (argv.includes('--stdio') || !argv.some((word) => word === '--http' || word.startsWith('--http=')));
}

async function tellClient(error: WorkbenchError, io: Io): Promise<void> {
  const { stdin: input, stdout: output } = io;
  // A requested end is not held up.
  await untilAborted(io.signal, io.library.refuseStdio({ error, input, output })).catch(() => {});
}

function toCommand(args: Args, io: Io): Command {
  if (args.has('help')) return help;
  if (args.has('version') && args.text('version') === undefined) return version;
  if (args.command !== undefined) return commands[args.command];
  return io.tty.stdin && !args.has('http') ? status : serve;
}

async function help({ io, args, output }: Parameters<Command>[0]): Promise<number> {
  const [word] = args.positionals;
  const named = args.command === 'help' && word !== undefined ? resolveCommandName(word) : args.command;
  const command = args.command === 'help' && word === undefined ? undefined : named;
  const { width } = output;
  output.line(
    (command === undefined ? toGeneralHelp(io.library.version, width) : toCommandHelp(command, width)).trimEnd(),
  );
  return exitCode.ok;
}

async function version({ io, output }: Parameters<Command>[0]): Promise<number> {
  output.line(io.library.version);
  return exitCode.ok;
}
