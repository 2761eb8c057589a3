/**
 * The door of a workbench that runs, of the daemon or of a service over HTTP: who comes in through it is served as at a pipe, and
 * the command line is told how the servers are. See `src/daemon/listen.ts`.
 */
import type { openPlace } from '../daemon/attach.ts';
import { type Wishes, wrongFlags } from '../daemon/first-lines.ts';
import type { ListenOptions } from '../daemon/listen.ts';
import { sealText } from '../daemon/proof.ts';
import { sealVariables } from '../daemon/variables.ts';
import type { Config, Mode, Redactor, Workbench } from '../index.ts';
import { toServingLines } from './serving-lines.ts';
import { type Context, toReading } from './session.ts';
import { startServers, takeRunningView } from './view.ts';

export type SafePlace = Extract<ReturnType<typeof openPlace>, { place: unknown }>;

export interface DoorOptions extends SafePlace {
  readonly workbench: Workbench;
  readonly redactor: Redactor;
  /** Where to read what happened; empty when nowhere. */
  readonly log: string;
  /** What is wrong with the configuration as it was read last, one line each. */
  mistakes(): readonly string[];
}

type Answers = Pick<ListenOptions, 'place' | 'secret' | 'status' | 'view' | 'plan' | 'serve'>;

export function toDoor(context: Context, options: DoorOptions): Answers {
  const { workbench, redactor, place, secret, log } = options;
  const { io } = context;
  const since = new Date().toISOString();
  const definitionsOf = oncePerConfig((config) => sealDefinitions(secret, config));
  return {
    place,
    secret,
    status: () => {
      const { config } = workbench;
      const { mode, separator, path = '', variables } = config;
      return {
        ...{ pid: process.pid, since, config: path, version: io.library.version, log, mode, separator },
        definitions: definitionsOf(config),
        mistakes: options.mistakes(),
        variables: sealVariables(variables, { secret, env: io.env, platform: process.platform }),
      };
    },
    async view(question) {
      await startServers(workbench, question);
      return takeRunningView(workbench, redactor.hide);
    },
    plan: (wishes) => planClient(context, workbench, wishes),
    serve: ({ input, output, wishes }) =>
      io.library.serveStdio({ workbench, input, output, ...(wishes as Wishes & { mode?: Mode }) }),
  };
}

/** Whoever reads the same from the file gets the same; values of variables are in it, so it is sealed. */
export function sealDefinitions(secret: Buffer, { servers, toolboxes }: Config): string {
  return sealText(secret, 'definitions', JSON.stringify([[...servers], [...toolboxes]]));
}

function oncePerConfig(make: (config: Config) => string): (config: Config) => string {
  const made = new WeakMap<Config, string>();
  return (config) => {
    const text = made.get(config) ?? make(config);
    made.set(config, text);
    return text;
  };
}

/** A client with a mode or separator of its own is served only when the file allows it, as it would be without a daemon. */
function planClient({ io, ...context }: Context, workbench: Workbench, { mode, separator }: Wishes) {
  const wished = { ...(mode === undefined ? {} : { mode }), ...(separator === undefined ? {} : { separator }) };
  const shown = { ...workbench.config, ...wished } as Config;
  if (Object.keys(wished).length > 0) {
    try {
      if (!['meta', 'dynamic', 'flat'].includes(shown.mode)) throw new Error(`there is no mode "${shown.mode}"`);
      const reading = { ...toReading({ ...context, io }), ...wished } as { env: NodeJS.ProcessEnv };
      const read = io.library.loadConfig({ ...reading, leaveOut: true, cwd: io.cwd, flag: workbench.config.path });
      if (hasMore(read, workbench.config)) return { refused: wrongFlags };
      if (!sameToolboxes(read, workbench.config))
        return { refused: `the file has other toolboxes in mode ${read.mode} than in mode ${workbench.config.mode}` };
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

/** Whether what this client wishes makes something wrong that is right in what is served. */
function hasMore({ leftOut: wished }: Config, { leftOut: served }: Config): boolean {
  const known = new Set(served?.error.problems.map(({ code, path }) => `${code} ${path}`));
  return wished?.error.problems.some(({ code, path }) => !known.has(`${code} ${path}`)) === true;
}
