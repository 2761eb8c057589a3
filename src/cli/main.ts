/** From a command line to an exit code. Nothing else decides how the program ends. */
import { exitCode } from '../index.ts';
import { type Args, parseArgs, resolveCommandName, wantsJson } from './args.ts';
import { createPaint, wantsColour } from './colour.ts';
import type { CommandName } from './command-table.ts';
import { attach } from './commands/attach.ts';
import { auth } from './commands/auth.ts';
import { call } from './commands/call.ts';
import { check } from './commands/check.ts';
import { daemon } from './commands/daemon.ts';
import { demo } from './commands/demo.ts';
import { list } from './commands/list.ts';
import { ps } from './commands/ps.ts';
import { serve } from './commands/serve.ts';
import { status } from './commands/status.ts';
import { stop } from './commands/stop.ts';
import { tools } from './commands/tools.ts';
import { toExitCode, toFailureJson, toFailureText, toWorkbenchError } from './failure.ts';
import { toCommandHelp, toGeneralHelp } from './help.ts';
import type { Io } from './io.ts';
import { createOutput } from './output.ts';
import type { Command } from './session.ts';

const commands: Record<CommandName, Command> = {
  serve,
  attach,
  daemon,
  list,
  tools,
  call,
  check,
  auth,
  ps,
  stop,
  demo,
  help,
};

export async function main(argv: readonly string[], io: Io): Promise<number> {
  try {
    const args = parseArgs(argv);
    return await toCommand(args, io)({ io, args, output: createOutput(io, args) });
  } catch (error) {
    // Whatever fails on the way out of an interrupted command is a consequence, not news.
    if (io.signal.aborted) return exitCode.interrupted;
    const failure = toWorkbenchError(error);
    const refused = argv.includes('--no-color');
    const paint = createPaint(wantsColour({ isTTY: io.tty.stderr, env: io.env, refused }));
    const debug = argv.includes('--debug');
    io.stderr.write(`${wantsJson(argv) ? toFailureJson(failure) : toFailureText(failure, { paint, debug })}\n`);
    return toExitCode(failure);
  }
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
