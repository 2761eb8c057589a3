/** `serve`: be an MCP server on stdin and stdout, over HTTP, or both, until the client of the pipe leaves or a signal comes. */

import { systemClock, within } from '../../base/async/clock.ts';
import { untilAborted } from '../../base/async/until-aborted.ts';
import { defined } from '../../base/json/defined.ts';
import type { Config, KeptRecord } from '../../index.ts';
import type { Args } from '../args/args.ts';
import { showMistakes, toMistakeLines } from '../output/show-mistakes.ts';
import { openAccount } from '../record/account.ts';
import { createLogs } from '../record/logs.ts';
import type { Io } from '../run/io.ts';
import { type Context, createConfigRedactor, loadCommandConfig, toState } from '../run/session.ts';
import { checkHttpFlags, startHttp } from '../service/http-service.ts';
import { collectWhenIdle } from '../service/idle-gc.ts';
import { startReloading } from '../service/reload.ts';
import { saveLater } from '../service/save-later.ts';
import { toServingLines } from '../service/serving-lines.ts';
import { toStopCode } from '../service/stop-code.ts';

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
    const piped = http === undefined || args.has('stdio');
    const served = piped
      ? io.library.serveStdio({ workbench, ...identity, ...toClient(args), input: io.stdin, output: io.stdout })
      : undefined;
    // A client that has written already is answered first, and then it asks for its lists. The rest is for people and for later.
    if (piped) await new Promise((resolve) => setImmediate(resolve));
    const greeted = served && within(systemClock, firstWordsMs, served.done);
    const onMistakes = (mistakes: readonly string[]) => record?.mistaken(mistakes);
    if (config.leftOut !== undefined) onMistakes(toMistakeLines(config));
    const stopReloading = startReloading(context, workbench, onMistakes, greeted);
    await greeted;
    for (const line of [...toServingLines(config, io.library.version, io.stateDir), ...(http?.banner ?? [])])
      output.note(line);
    record?.serving([
      ...(piped ? [{ kind: 'stdio' } as const] : []),
      ...(http === undefined ? [] : [{ kind: 'http', port: http.port } as const]),
    ]);
    const stopResting = collectWhenIdle();
    const keepCode = saveLater(io.keepCode);
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

/** How long a client usually takes from its first message to the list of its tools. */
const firstWordsMs = 50;

const forEver = new Promise<void>(() => {});

/** The client that the command line is written for. */
function toClient(args: Args): { client?: string } {
  return defined({ client: args.text('client') });
}

/** How the server presents itself to clients, as far as the command line says. */
function toIdentity(args: Args): { name?: string; version?: string } {
  const name = args.text('name');
  const version = args.text('version');
  return defined({ name, version });
}
