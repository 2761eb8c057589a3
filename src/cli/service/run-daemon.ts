/** The daemon itself: one workbench for any number of attached clients. It ends when no client has been attached for a while. */

import { Writable } from 'node:stream';
import { untilAborted } from '../../base/async/until-aborted.ts';
import { openPlace } from '../../daemon/attach.ts';
import { listenForClients } from '../../daemon/listen.ts';
import { type Config, exitCode, WorkbenchError } from '../../index.ts';
import { toFailureLine, toShownError } from '../output/failure.ts';
import { createOutput } from '../output/output.ts';
import { showMistakes, toMistakeLines } from '../output/show-mistakes.ts';
import { openAccount } from '../record/account.ts';
import { type BoundedFile, openBoundedFile } from '../record/bounded-file.ts';
import { createLogs } from '../record/logs.ts';
import { type Context, createConfigRedactor, loadCommandConfig, toState } from '../run/session.ts';
import { type SafePlace, toDoor } from './door.ts';
import { startReloading } from './reload.ts';
import { saveLater } from './save-later.ts';
import { toServingLines } from './serving-lines.ts';
import { toStopCode } from './stop-code.ts';

const maxLogBytes = 1024 * 1024;

export async function runDaemon(context: Context, idleMs: number): Promise<number> {
  const { io } = context;
  const config = loadCommandConfig(context);
  const ground = openPlace({ env: io.env, config: config.path ?? '', version: io.library.version });
  if ('why' in ground) throw new WorkbenchError('WB1912', `${ground.why}.`);
  const log = openBoundedFile(ground.place.logFile, maxLogBytes);
  const stopListening = io.onFault((text) => log.write(`${text}\n`));
  try {
    return await run({ ...withLog(context, log), config, ...ground, idleMs });
  } catch (error) {
    if (io.signal.aborted) return toStopCode(io.signal);
    log.write(`${toFailureLine(toShownError(error), { debug: false })}\n`);
    throw error;
  } finally {
    stopListening();
    log.close();
  }
}

interface Run extends Context, SafePlace {
  readonly config: Config;
  readonly idleMs: number;
}

async function run(options: Run): Promise<number> {
  const { io, args, output, config, place, secret, idleMs } = options;
  const redactor = createConfigRedactor(config);
  const logs = createLogs({ io, args, redactor, level: 'warn' });
  const record =
    io.stateDir === undefined
      ? undefined
      : io.library.keepRunningRecord({ stateDir: io.stateDir, config: config.path });
  const known = record === undefined ? {} : { processes: record };
  const account = openAccount(options, { redactor, log: logs.log, live: false });
  const workbench = io.library.createWorkbench({ config, redactor, ...account.watching, ...toState(io), ...known });
  const ended = createEnd();
  const reloads = new Set<() => void>();
  let mistakes: readonly string[] = toMistakeLines(config);
  try {
    const listening = await listenForClients({
      ...toDoor(options, { workbench, redactor, place, secret, log: place.logFile, mistakes: () => mistakes }),
      onStop: ended.now,
      onReload: () => {
        for (const reload of reloads) reload();
      },
      onClient: ended.never,
      onAlone: ({ reachable }) => ended.after(reachable ? idleMs : 0),
      onClogged: () => logs.log.warn('a client was disconnected because it does not read'),
    });
    if ('inUse' in listening)
      throw new WorkbenchError('WB1911', `Process ${listening.inUse} is the daemon of ${config.path}.`);
    if ('why' in listening) throw new WorkbenchError('WB1912', `${listening.why}.`);
    workbench.admit('many');
    ended.after(idleMs);
    record?.mistaken(mistakes);
    record?.serving([{ kind: 'daemon' }]);
    if (config.leftOut !== undefined) showMistakes(options, config.leftOut.error);
    for (const line of toServingLines(config, io.library.version, io.stateDir)) output.note(line);
    const onHangUp = (listener: () => void) => {
      const stop = io.onHangUp(listener);
      reloads.add(listener);
      return () => {
        stop();
        reloads.delete(listener);
      };
    };
    const stopReloading = startReloading({ ...options, io: { ...io, onHangUp } }, workbench, (lines) => {
      mistakes = lines;
      record?.mistaken(lines);
    });
    const keepCode = saveLater(io.keepCode);
    await untilAborted(io.signal, ended.done).finally(async () => {
      stopReloading();
      await listening.close();
      keepCode();
    });
  } finally {
    ended.never();
    await workbench.close();
    record?.close();
    account.close();
    logs.close();
  }
  return exitCode.ok;
}

/** Everything for a person also goes into the log: the stderr of most daemons is not visible to anyone. */
function withLog({ io, args }: Context, log: BoundedFile): Context {
  const stderr = new Writable({
    decodeStrings: false,
    write(text: string, _encoding, done) {
      log.write(String(text));
      io.stderr.write(text);
      done();
    },
  });
  const own = { ...io, stderr };
  return { io: own, args, output: createOutput(own, args) };
}

interface End {
  readonly done: Promise<void>;
  now(): void;
  after(ms: number): void;
  never(): void;
}

/** Resolves when no client has been attached for long enough, or a client asks the daemon to end. */
function createEnd(): End {
  let timer: NodeJS.Timeout | undefined;
  let now = () => {};
  const done = new Promise<void>((resolve) => {
    now = resolve;
  });
  const never = () => clearTimeout(timer);
  return {
    done,
    now,
    never,
    after(ms) {
      never();
      timer = setTimeout(now, ms);
    },
  };
}
