/** The daemon or the HTTP service of this configuration that runs now: commands use it instead of starting servers of their own. */
import { existsSync } from 'node:fs';
import type { Duplex } from 'node:stream';
import { askView } from '../daemon/ask-view.ts';
import { findPlace, openPlace } from '../daemon/attach.ts';
import type { Greeting } from '../daemon/first-lines.ts';
import { meetDaemon } from '../daemon/meet.ts';
import { canHalfClose, type Door } from '../daemon/place.ts';
import { findDifferent } from '../daemon/variables.ts';
import { type Config, toPrintable, WorkbenchError } from '../index.ts';
import { type SafePlace, sealDefinitions } from './door.ts';
import type { Context } from './session.ts';
import type { View, ViewQuestion } from './view.ts';

export interface Instance {
  /** As a person reads it: `the daemon (process 12)`. */
  readonly name: string;
  view(question: ViewQuestion): Promise<View>;
  /** A connection on which an ordinary client of mode `meta` is served; undefined when there is none to be had. */
  connect(): Promise<Duplex | undefined>;
}

const doors: readonly (readonly [Door, string])[] = [
  ['daemon', 'the daemon'],
  ['service', 'the HTTP service'],
];

/** One that has read the same configuration with the same variables; of any other it is said why it is not used. */
export async function findInstance(context: Context, config: Config): Promise<Instance | undefined> {
  if (context.io.stateDir === undefined || config.path === undefined) return undefined;
  for (const [door, what] of doors) {
    const ground = findDoor(context, config.path, door);
    if (ground === undefined) continue;
    const { place, secret } = ground;
    const meeting = await meetDaemon({ address: place.address, secret, want: 'status', patienceMs });
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

/** One that is stopped or overloaded must not hold up a command for long. */
const patienceMs = 3_000;

/** Undefined where certainly nobody listens; then nothing is made either. */
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
  if (different !== undefined) return `the variable ${different} has another value there`;
  if (greeting.definitions !== sealDefinitions(secret, config)) return 'it runs another state of the configuration';
  // What a client of it sees is what is asked for, unless a flag says otherwise.
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
      // It has proved who it is and is of this version: what it says has this shape.
      if (view !== undefined) return view as unknown as View;
      throw new WorkbenchError('WB1913', `${name} has ended before it answered.`);
    },
    async connect() {
      const meeting = await meetDaemon({ address, secret, want: 'call', wishes: { mode: 'meta' }, goesOn });
      return meeting.kind === 'met' ? meeting.socket : undefined;
    },
  };
}
