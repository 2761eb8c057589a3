/**
 * The local entrance to a running workbench, of the daemon or of an HTTP service: a client that connects is served as on a pipe,
 * and the command line is told how the servers are. See `src/daemon/listen.ts`.
 */

import { memoize } from '../../base/async/memoize.ts';
import { defined } from '../../base/json/defined.ts';
import { isMode } from '../../base/mode.ts';
import type { openPlace } from '../../daemon/attach.ts';
import { type ClientOverrides, wrongFlags } from '../../daemon/handshake-messages.ts';
import type { ClientListenOptions } from '../../daemon/listen.ts';
import { sealText } from '../../daemon/proof.ts';
import { sealVariables } from '../../daemon/variables.ts';
import { type Config, isClientId, type Mode, type Redactor, type Workbench } from '../../index.ts';
import { type Context, toReadOptions } from '../run/session.ts';
import { startServers, takeRunningView } from '../run/view.ts';
import { toServingLines } from './serving-lines.ts';

export type SafePlace = Extract<ReturnType<typeof openPlace>, { place: unknown }>;

export interface DoorOptions extends SafePlace {
  readonly workbench: Workbench;
  readonly redactor: Redactor;
  /** The path of the log; empty when there is none. */
  readonly log: string;
  /** The mistakes in the configuration as it was last read, one line each. */
  mistakes(): readonly string[];
}

type Answers = Pick<ClientListenOptions, 'place' | 'secret' | 'status' | 'view' | 'plan' | 'serve'>;

export function toDoor(context: Context, options: DoorOptions): Answers {
  const { workbench, redactor, place, secret, log } = options;
  const { io } = context;
  const since = new Date().toISOString();
  const definitionsOf = memoize((config: Config) => sealDefinitions(secret, config));
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
    serve: ({ wishes, ...client }) =>
      io.library.serveStdio({ workbench, ...client, ...(wishes as ClientOverrides & { mode?: Mode }) }),
  };
}

/** Equal for programs that read the same from the file. It contains values of variables, so it is sealed. */
export function sealDefinitions(secret: Buffer, { servers, toolboxes }: Config): string {
  return sealText(secret, 'definitions', JSON.stringify([[...servers], [...toolboxes]]));
}

/** A client with its own mode or separator is served only when the file allows it, as without a daemon. */
function planClient({ io, ...context }: Context, workbench: Workbench, { mode, separator, client }: ClientOverrides) {
  if (client !== undefined && !isClientId(workbench.config, client)) return { refused: wrongFlags };
  const wished = defined({ mode, separator });
  const shown = { ...workbench.config, ...wished } as Config;
  if (Object.keys(wished).length > 0) {
    try {
      if (!isMode(shown.mode)) throw new Error(`there is no mode "${shown.mode}"`);
      const reading = { ...toReadOptions({ ...context, io }), ...wished } as { env: NodeJS.ProcessEnv };
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

/** In mode meta a plain file has one toolbox per server, with plainer names: those of the daemon would be wrong. */
function sameToolboxes(one: Config, other: Config): boolean {
  const places = ({ toolboxes }: Config) =>
    [...toolboxes].map(([name, { placements }]) => [name, placements.map(({ server }) => server)]);
  return JSON.stringify(places(one)) === JSON.stringify(places(other));
}

/** Whether the wishes of this client make something invalid that is valid as it is served. */
function hasMore({ leftOut: wished }: Config, { leftOut: served }: Config): boolean {
  const known = new Set(served?.error.problems.map(({ code, path }) => `${code} ${path}`));
  return wished?.error.problems.some(({ code, path }) => !known.has(`${code} ${path}`)) === true;
}
