/**
 * The shim: one client at our stdin and stdout, and the daemon of its configuration behind it. Small on purpose, because it is
 * loaded instead of the program. Where it cannot or must not share a daemon it says so, and the caller serves the client itself.
 */
import { existsSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { findOwnTrail } from '../config/file/find-trail.ts';
import { findConfigHere } from '../config/source/disk.ts';
import { stateDir } from '../config/source/paths.ts';
import { prepareFolder } from '../state/own-folder.ts';
import { currentOwner } from '../state/owner.ts';
import { findStateFault } from '../state/state-folder.ts';
import { connectDaemon } from './connect-daemon.ts';
import { type ConnectedDaemon, connectOrStart } from './connect-or-start.ts';
import { canHalfClose, type DaemonPaths, type Door, planDaemonPaths } from './daemon-paths.ts';
import { type ClientOverrides, type Greeting, wrongFlags } from './handshake-messages.ts';
import { type RelayEnd, relay } from './relay.ts';
import { openSecret } from './secret.ts';
import { findDifferent } from './variables.ts';

export interface AttachOptions {
  /** `--config`. */
  readonly config?: string | undefined;
  /** `--trust-config`. */
  readonly trust?: boolean | undefined;
  /** How long a daemon that is started here stays without clients. */
  readonly idleMs?: string | undefined;
  readonly wishes: ClientOverrides;
  readonly input: Readable;
  readonly output: Writable;
  /** A line for a person. */
  note(text: string): void;
  /** For messages that must always be shown. */
  complain(text: string): void;
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** This program: the Node.js that runs it, its file, its version. */
  readonly program: { readonly node: string; readonly file: string; readonly version: string };
  /** The reason is the name of a signal, or `closed` when our output has no reader any more. */
  readonly signal: AbortSignal;
  /** Called when the configuration is to be read again. */
  onHangUp(listener: () => void): () => void;
}

/** The exit code, or that the client must be served without a daemon. */
export type Attached = { readonly code: number } | 'serve-instead';

export async function attach(options: AttachOptions): Promise<Attached> {
  const { env, cwd, note, program, signal, wishes } = options;
  const { platform } = process;
  const search = {
    flag: options.config,
    trust: options.trust,
    env,
    cwd,
    platform,
    home: homedir(),
    exists: existsSync,
  };
  const config = findConfigHere(search);
  // The program that serves the client will say what is missing.
  if (config === undefined || !existsSync(config)) return 'serve-instead';
  const instead = (why: string): Attached => {
    note(`mcp-workbench ${program.version}: serving without the daemon: ${why}`);
    return 'serve-instead';
  };
  // A daemon outlives its client, and would then refuse other clients for a chain that they are not part of.
  if (findOwnTrail(env).length > 0) return instead('a server of a Workbench started it');
  // Its servers depend on the project, which a daemon for all projects cannot know.
  if (config.endsWith('.claude.json')) return instead('the servers of this file depend on the current folder');
  const ground = openPlace({ env, config, version: program.version });
  if ('why' in ground) return instead(ground.why);
  const { place, secret } = ground;
  const goesOn = !canHalfClose(platform);
  const idle = options.idleMs === undefined ? [] : ['--idle-ms', options.idleMs];
  const trust = options.trust === true ? ['--trust-config'] : [];
  const command = [program.node, program.file, 'daemon', '--config', config, ...idle, ...trust] as const;
  const summoned = connectOrStart({ place, secret, want: 'attach', wishes, goesOn, command, env, signal });
  const met = await Promise.race([summoned, untilAborted(signal)]);
  if (met === 'aborted' || signal.aborted) return { code: toExitCode('aborted', signal) };
  if (met.kind === 'failed') return toFailed(met, place, instead);
  if (met.kind === 'unusable') return met.why === wrongFlags ? 'serve-instead' : instead(met.why);
  const { socket, greeting } = met;
  const different = findDifferent(greeting, { secret, env, platform });
  if (different !== undefined) {
    socket.destroy();
    return instead(`the variable ${different} has a different value here than in the daemon (process ${greeting.pid})`);
  }
  note(`mcp-workbench ${program.version}: attached to the daemon (process ${greeting.pid}); its log: ${greeting.log}`);
  for (const line of greeting.notes) note(line);
  const stopListening = options.onHangUp(
    () => void connectDaemon({ address: place.address, secret, want: 'reload' }).then(leave),
  );
  const end = await relay({ socket, input: options.input, output: options.output, goesOn, signal });
  stopListening();
  if (end === 'stopped') note(`mcp-workbench: the daemon (process ${greeting.pid}) was stopped`);
  if (end === 'lost') options.complain(toLoss(greeting));
  return { code: toExitCode(end, signal) };
}

export interface PlaceWish {
  readonly env: NodeJS.ProcessEnv;
  readonly config: string;
  readonly version: string;
  readonly door?: Door | undefined;
  /** The state folder, where it is known already. */
  readonly stateDir?: string | undefined;
}

/** Where the daemon of a configuration listens; touches no file. */
export function findPlace(wish: PlaceWish): DaemonPaths {
  const { platform } = process;
  const state = wish.stateDir ?? stateDir({ env: wish.env, platform, home: homedir() });
  return planDaemonPaths({ ...wish, ...currentOwner(), stateDir: state, tempDir: tmpdir() });
}

/** The same with its folders checked, and with the secret; or why it cannot be used. */
export function openPlace(
  wish: PlaceWish,
): { readonly place: DaemonPaths; readonly secret: Buffer } | { readonly why: string } {
  const owner = currentOwner();
  const place = findPlace(wish);
  const state = wish.stateDir ?? stateDir({ env: wish.env, platform: process.platform, home: homedir() });
  const fault =
    findStateFault(state, owner) ??
    place.folders.map((folder) => prepareFolder(folder, owner)).find((each) => each !== undefined);
  if (fault !== undefined) return { why: fault };
  try {
    return { place, secret: openSecret(place, owner) };
  } catch (error) {
    return { why: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * Wrong usage or a wrong configuration: the program that serves instead reports it in full, and a hint before that would only
 * confuse.
 */
const usage = 2;

function toFailed(
  { code }: Extract<ConnectedDaemon, { kind: 'failed' }>,
  { logFile }: DaemonPaths,
  instead: (why: string) => Attached,
): Attached {
  return code === usage ? 'serve-instead' : instead(`it could not be started; its log: ${logFile}`);
}

function leave(meeting: Awaited<ReturnType<typeof connectDaemon>>): void {
  if (meeting.kind === 'met') meeting.socket.destroy();
}

function untilAborted(signal: AbortSignal): Promise<'aborted'> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve('aborted');
    else signal.addEventListener('abort', () => resolve('aborted'), { once: true });
  });
}

/** Ends in the same way as `serve`. */
function toExitCode(end: RelayEnd, { reason }: AbortSignal): number {
  if (end === 'lost') return 4;
  return end === 'aborted' && reason === 'SIGINT' ? 130 : 0;
}

function toLoss({ pid, log }: Greeting): string {
  return [
    `✗ The daemon (process ${pid}) ended unexpectedly; calls under way are lost.`,
    '  Fix  Restart this server in your client: that starts a new daemon.',
    `  Its log may say why: ${log}`,
    '  WB1910',
  ].join('\n');
}
