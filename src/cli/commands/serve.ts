/** `serve`: be an MCP server on stdin and stdout, over HTTP, or both, until the client of the pipe leaves or a signal comes. */
import { defined } from '../../base/defined.ts';
import { untilAborted } from '../../base/until-aborted.ts';
import type { Config, KeptRecord } from '../../index.ts';
import { openAccount } from '../account.ts';
import type { Args } from '../args.ts';
import { checkHttpFlags, startHttp } from '../http-service.ts';
import type { Io } from '../io.ts';
import { keepSoon } from '../keep-soon.ts';
import { createLogs } from '../logs.ts';
import { startReloading } from '../reload.ts';
import { restWhenQuiet } from '../rest.ts';
import { toServingLines } from '../serving-lines.ts';
import { type Context, createConfigRedactor, loadCommandConfig, toState } from '../session.ts';
import { showMistakes, toMistakeLines } from '../show-mistakes.ts';
import { toStopCode } from '../stop-code.ts';

export async function serve(context: Context): Promise<number> {
  const { io, args, output } = context;
  checkHttpFlags(args);
  const config = loadCommandConfig(context);
  if (config.leftOut !== undefined) {
    // Before anything is started: who may come in over HTTP is not what was meant.
    if (args.has('http') && config.leftOut.closesHttp) throw config.leftOut.error;
    showMistakes(context, config.leftOut.error);
  }
  const redactor = createConfigRedactor(config);
  const logs = createLogs({ io, args, redactor, level: 'warn' });
  const record = io.stateDir === undefined ? undefined : openRecord(io, io.stateDir, config);
  const known = record === undefined ? {} : { processes: record };
  const live = args.has('http') && io.tty.stderr;
  const account = openAccount(context, { redactor, log: logs.log, live });
  const workbench = io.library.createWorkbench({ config, redactor, ...account.watching, ...toState(io), ...known });
  try {
    const identity = toIdentity(args);
    const http = args.has('http') ? await startHttp(context, { config, workbench, redactor, identity }) : undefined;
    for (const line of [...toServingLines(config, io.library.version, io.stateDir), ...(http?.banner ?? [])])
      output.note(line);
    const piped = http === undefined || args.has('stdio');
    record?.mistaken(toMistakeLines(config));
    record?.serving([
      ...(piped ? [{ kind: 'stdio' } as const] : []),
      ...(http === undefined ? [] : [{ kind: 'http', port: http.port } as const]),
    ]);
    const served = piped
      ? io.library.serveStdio({ workbench, ...identity, input: io.stdin, output: io.stdout })
      : undefined;
    const stopReloading = startReloading(context, workbench, (mistakes) => record?.mistaken(mistakes));
    const stopResting = restWhenQuiet();
    const keepCode = keepSoon(io.keepCode);
    await untilAborted(io.signal, served?.done ?? forEver).finally(async () => {
      stopReloading();
      stopResting();
      served?.close();
      await http?.close();
      keepCode();
    });
  } catch (error) {
    if (!io.signal.aborted) throw error;
  } finally {
    await workbench.close();
    record?.close();
    account.close();
    logs.close();
  }
  return toStopCode(io.signal);
}

/** What `ps` and `stop` know of us. */
function openRecord({ library }: Io, stateDir: string, { path }: Config): KeptRecord {
  return library.keepRunningRecord({ stateDir, config: path });
}

const forEver = new Promise<void>(() => {});

/** How the server presents itself to clients, as far as the command line says. */
function toIdentity(args: Args): { name?: string; version?: string } {
  const name = args.text('name');
  const version = args.text('version');
  return defined({ name, version });
}
