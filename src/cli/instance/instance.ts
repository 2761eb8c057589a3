/** Finds the running daemon or HTTP service of this configuration: commands use it instead of starting servers of their own. */
import { existsSync } from 'node:fs';
import type { Duplex } from 'node:stream';
import { askView } from '../../daemon/ask-view.ts';
import { findPlace, openPlace } from '../../daemon/attach.ts';
import { connectDaemon } from '../../daemon/connect-daemon.ts';
import { canHalfClose, type Door } from '../../daemon/daemon-paths.ts';
import type { Greeting } from '../../daemon/handshake-messages.ts';
import { findDifferent } from '../../daemon/variables.ts';
import { type Config, toPrintable, WorkbenchError } from '../../index.ts';
import type { Context } from '../run/session.ts';
import type { View, ViewQuestion } from '../run/view.ts';
import { type SafePlace, sealDefinitions } from '../service/door.ts';

export interface Instance {
  /** In words: `the daemon (process 12)`. */
  readonly name: string;
  view(question: ViewQuestion): Promise<View>;
  /** A connection that serves an ordinary client in mode `meta`; undefined when none can be made. */
  connect(): Promise<Duplex | undefined>;
}

const doors: readonly (readonly [Door, string])[] = [
  ['daemon', 'the daemon'],
  ['service', 'the HTTP service'],
];

/** One that has read the same configuration with the same variables; for any other it is reported why it is not used. */
export async function findInstance(context: Context, config: Config): Promise<Instance | undefined> {
  if (context.io.stateDir === undefined || config.path === undefined) return undefined;
  for (const [door, what] of doors) {
    const ground = findDoor(context, config.path, door);
    if (ground === undefined) continue;
    const { place, secret } = ground;
    const meeting = await connectDaemon({ address: place.address, secret, want: 'status', patienceMs });
    if (meeting.kind === 'absent') continue;
    const skip = (name: string, why: string) => context.output.note(`${name} is not used: ${toPrintable(why)}`);
    if (meeting.kind === 'unusable') {
      skip(what, meeting.why);
      continue;
    }
    meeting.socket.destroy();
    const name = `${what} (process ${meeting.greeting.pid})`;
    const why = findObstacle(context, config, { secret, greeting: meeting.greeting });
    if (why === undefined) return toInstance(context, ground, name);
    skip(name, why);
  }
  return undefined;
}

/** A stopped or overloaded one must not hold up a command for long. */
const patienceMs = 3_000;

/** Undefined where certainly none is listening; then no files are created either. */
function findDoor({ io }: Context, config: string, door: Door): SafePlace | undefined {
  const wish = { env: io.env, stateDir: io.stateDir, config, version: io.library.version, door };
  const { isFile, address } = findPlace(wish);
  if (isFile && !existsSync(address)) return undefined;
  const ground = openPlace(wish);
  return 'why' in ground ? undefined : ground;
}

function findObstacle(
  { io, args }: Context,
  config: Config,
  { secret, greeting }: { secret: Buffer; greeting: Greeting },
): string | undefined {
  const different = findDifferent(greeting, { secret, env: io.env, platform: process.platform });
  if (different !== undefined) return `the variable ${different} has a different value there`;
  if (greeting.definitions !== sealDefinitions(secret, config)) return 'it uses another version of the configuration';
  // The command sees what a client of it would see, unless a flag says otherwise.
  for (const flag of ['mode', 'separator'] as const)
    if (args.has(flag) && args.text(flag) !== greeting[flag]) return `it has another ${flag}`;
  return undefined;
}

function toInstance({ io }: Context, { place, secret }: SafePlace, name: string): Instance {
  const { address } = place;
  const goesOn = !canHalfClose(process.platform);
  return {
    name,
    async view(question) {
      const view = await askView({ address, secret, question, signal: io.signal });
      io.signal.throwIfAborted();
      // It has proven its identity and has this version, so its answer has this shape.
      if (view !== undefined) return view as unknown as View;
      throw new WorkbenchError('WB1913', `${name} ended before it answered.`);
    },
    async connect() {
      const meeting = await connectDaemon({ address, secret, want: 'call', wishes: { mode: 'meta' }, goesOn });
      return meeting.kind === 'met' ? meeting.socket : undefined;
    },
  };
}
