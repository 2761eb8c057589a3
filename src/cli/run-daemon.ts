/** The daemon itself: one workbench, any number of attached clients, an end when nobody has been there for a while. */
import { Writable } from 'node:stream';
import { openPlace } from '../daemon/attach.ts';
import { type Wishes, wrongFlags } from '../daemon/first-lines.ts';
import { listenForClients } from '../daemon/listen.ts';
import { sealVariables } from '../daemon/variables.ts';
import { type Config, exitCode, type Mode, type Workbench, WorkbenchError } from '../index.ts';
import { type BoundedFile, openBoundedFile } from './bounded-file.ts';
import { toFailureLine, toWorkbenchError } from './failure.ts';
import { keepSoon } from './keep-soon.ts';
import { createLogs } from './logs.ts';
import { createOutput } from './output.ts';
import { startReloading } from './reload.ts';
import { toServingLines } from './serving-lines.ts';
import { type Context, createConfigRedactor, loadCommandConfig, toReading, toState, untilAborted } from './session.ts';
import { toStopCode } from './stop-code.ts';

const mostLogBytes = 1024 * 1024;

export async function runDaemon(context: Context, idleMs: number): Promise<number> {
  const { io } = context;
  const config = loadCommandConfig(context);
  const ground = openPlace({ env: io.env, config: config.path ?? '', version: io.library.version });
  if ('why' in ground) throw new WorkbenchError('WB1912', `${ground.why}.`);
  const log = openBoundedFile(ground.place.logFile, mostLogBytes);
  const stopListening = io.onFault((text) => log.write(`${text}\n`));
  try {
    return await run({ ...withLog(context, log), config, ...ground, idleMs });
  } catch (error) {
    if (io.signal.aborted) return toStopCode(io.signal);
    log.write(`${toFailureLine(toWorkbenchError(error), { debug: false })}\n`);
    throw error;
  } finally {
    stopListening();
    log.close();
  }
}

interface Run extends Context {
  readonly config: Config;
  readonly place: Extract<ReturnType<typeof openPlace>, { place: unknown }>['place'];
  readonly secret: Buffer;
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
  const workbench = io.library.createWorkbench({ config, redactor, log: logs.log, ...toState(io), ...known });
  const since = new Date().toISOString();
  const ended = createEnd();
  const reloads = new Set<() => void>();
  const inForce = () => ({ pid: process.pid, since, config: config.path ?? '', version: io.library.version });
  const variables = () =>
    sealVariables(workbench.config.variables, { secret, env: io.env, platform: process.platform });
  try {
    const listening = await listenForClients({
      place,
      secret,
      status: () => ({ ...inForce(), log: place.logFile, variables: variables() }),
      plan: (wishes) => planClient(options, workbench, wishes),
      serve: ({ input, output: to, wishes }) =>
        io.library.serveStdio({ workbench, input, output: to, ...(wishes as Wishes & { mode?: Mode }) }),
      onStop: ended.now,
      onReload: () => {
        for (const reload of reloads) reload();
      },
      onClient: ended.never,
      onAlone: ({ reachable }) => ended.after(reachable ? idleMs : 0),
      onClogged: () => logs.log.warn('a client was dropped: it does not read what it is told'),
    });
    if ('inUse' in listening)
      throw new WorkbenchError('WB1911', `Process ${listening.inUse} is the daemon of ${config.path}.`);
    if ('why' in listening) throw new WorkbenchError('WB1912', `${listening.why}.`);
    workbench.admit('many');
    ended.after(idleMs);
    record?.serving([{ kind: 'daemon' }]);
    for (const line of toServingLines(config, io.library.version)) output.note(line);
    const onHangUp = (listener: () => void) => {
      const stop = io.onHangUp(listener);
      reloads.add(listener);
      return () => {
        stop();
        reloads.delete(listener);
      };
    };
    const stopReloading = startReloading({ ...options, io: { ...io, onHangUp } }, workbench);
    const keepCode = keepSoon(io.keepCode);
    await untilAborted(io.signal, ended.done).finally(async () => {
      stopReloading();
      await listening.close();
      keepCode();
    });
  } finally {
    ended.never();
    await workbench.close();
    record?.close();
    logs.close();
  }
  return exitCode.ok;
}

/** A client with a mode or separator of its own is served only when the file allows it, as it would be without a daemon. */
function planClient({ io, ...context }: Run, workbench: Workbench, { mode, separator }: Wishes) {
  const wished = { ...(mode === undefined ? {} : { mode }), ...(separator === undefined ? {} : { separator }) };
  const shown = { ...workbench.config, ...wished } as Config;
  if (Object.keys(wished).length > 0) {
    try {
      if (!['meta', 'dynamic', 'flat'].includes(shown.mode)) throw new Error(`there is no mode "${shown.mode}"`);
      const reading = { ...toReading({ ...context, io }), ...wished } as { env: NodeJS.ProcessEnv };
      const own = io.library.loadConfig({ ...reading, cwd: io.cwd, flag: workbench.config.path });
      if (!sameToolboxes(own, workbench.config))
        return { refused: `the file has other toolboxes in mode ${own.mode} than in mode ${workbench.config.mode}` };
    } catch {
      return { refused: wrongFlags };
    }
  }
  return { notes: toServingLines(shown, io.library.version, io.stateDir) };
}

/** A plain file has one toolbox for each server in mode meta, and names are plainer there: those of the daemon would be wrong. */
function sameToolboxes(one: Config, other: Config): boolean {
  const places = ({ toolboxes }: Config) =>
    [...toolboxes].map(([name, { placements }]) => [name, placements.map(({ server }) => server)]);
  return JSON.stringify(places(one)) === JSON.stringify(places(other));
}

/** Everything for a person goes into the log as well: most daemons have no stderr that anybody sees. */
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

/** When nobody is there for long enough, or somebody says so. */
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
