/** The whole core in one process: a workbench with servers behind it and clients before it, all on one clock that stands still. */
import { parseConfigValue } from '../../src/config/read/parse.ts';
import { createFront } from '../../src/front/create-front.ts';
import { toHttpFront } from '../../src/serve/http/request/http-front.ts';
import { createParkedCalls, type ParkedCalls } from '../../src/serve/modern/parked-calls.ts';
import { Workbench } from '../../src/workbench/workbench.ts';
import { Judge } from './checks/judge.ts';
import { createLegacyDoor, createModernService, createPipeDoor } from './clients/doors.ts';
import { createLegacyClient } from './clients/legacy-client.ts';
import { createModernClient, type Thread } from './clients/modern-client.ts';
import type { ClientContext, SimClient } from './clients/sim-client.ts';
import type { Profile } from './profile.ts';
import type { Random } from './random.ts';
import { createFleet, type Fleet } from './servers/server-process.ts';
import { isShared, type ServerSpec } from './servers/server-spec.ts';
import { type ServerWatch, watchServers } from './servers/watch-servers.ts';
import { changeSettings, drawSettings, type Settings, toFile } from './settings.ts';
import { createSimClock, type SimClock } from './sim-clock.ts';
import { toPublicUri } from './work.ts';

export interface World {
  readonly clock: SimClock;
  readonly judge: Judge;
  readonly fleet: Fleet;
  readonly workbench: Workbench;
  readonly servers: ServerWatch;
  /** Servers that fail whenever they are started. */
  readonly sick: Set<string>;
  readonly specs: readonly ServerSpec[];
  /** Somebody changes the file. */
  reload(): void;
  readonly clients: readonly SimClient[];
  /** Those of all stateless clients; undefined where the service of the pipe keeps its own. */
  readonly parked: ParkedCalls | undefined;
  /** Ends what clients share. */
  close(): void;
}

export const parkLimits = { calls: 6, callsPerPrincipal: 4, answerMs: 10 * 60_000 };

export function createWorld(random: Random, profile: Profile): World {
  const clock = createSimClock();
  const judge = new Judge(clock);
  const specs = drawSpecs(random, profile);
  const fleet = createFleet({ judge, random, clock, specs });
  const { generations } = fleet;
  const read = (settings: Settings) => {
    const config = parseConfigValue(toFile(settings, specs), { dir: '/', env: {} });
    generations.read(config, settings);
    return config;
  };
  let settings = drawSettings(random, specs);
  const earlier = [settings];
  const config = read(settings);
  const workbench = new Workbench({
    config,
    identity: { name: 'workbench', version: '0' },
    clock,
    startLocal: fleet.startLocal,
    random: random.next,
  });
  const context: Omit<ClientContext, 'open'> = {
    judge,
    random,
    clock,
    specs,
    mode: () => (workbench.config.mode === 'flat' ? 'flat' : 'meta'),
    habits: profile.habits,
  };
  judge.note(
    'world',
    `${profile.name}; ${settings.mode}; ${specs.map((each) => Object.values(each).join(' ')).join(', ')}`,
  );
  const servers = watchServers({ workbench, fleet, judge, clock, specs });
  const make = profile.clients === 'many' || profile.clients === 'stateless' ? openHall : openPipe;
  const parts = make(workbench, profile, context);
  let applied: Promise<unknown> = Promise.resolve();
  const reload = () => {
    settings = changeSettings(random, settings, { specs, earlier });
    earlier.push(settings);
    judge.note('world', `the file is changed: ${JSON.stringify(toFile(settings, specs))}`);
    const next = read(settings);
    // Before the Workbench itself takes it up.
    void applied.then(() => generations.prepare(next, workbench));
    applied = workbench.apply(next);
    applied.catch((error: unknown) => judge.fail(`a reload fails: ${String(error)}`));
  };
  const world: World = { clock, judge, fleet, workbench, servers, sick: new Set(), specs, reload, ...parts };
  judge.onAnnounced = (process, uri) => {
    const { spec } = process;
    // Where clients may have copies of their own, a change in one of them is news for its client only.
    if (!isShared(spec)) return;
    // What a server says that was replaced is nobody's news any more.
    if (process.generation.state !== 'current') return;
    const others = fleet.processes.some((each) => each.id !== process.id && each.spec === spec && each.running);
    if (others) return;
    const shown = toPublicUri(process.spec.name, uri);
    for (const client of world.clients) if (client.isWatching(shown)) client.owe(shown);
  };
  return world;
}

function drawSpecs(random: Random, { servers }: Profile): ServerSpec[] {
  const eras = servers === 'legacy' ? (['legacy'] as const) : (['legacy', 'modern'] as const);
  return Array.from({ length: 1 + random.int(3) }, (_, index) => ({
    name: `s${index + 1}`,
    era: random.pick(eras),
    sharing: random.pick([undefined, undefined, 'shared', 'perSession', 'perCall'] as const),
  }));
}

type Parts = Pick<World, 'clients' | 'parked' | 'close'>;

/** Many clients of several principals. */
function openHall(workbench: Workbench, profile: Profile, context: Omit<ClientContext, 'open'>): Parts {
  const { random, clock } = context;
  workbench.admit('many');
  const front = toHttpFront(createFront(workbench, clock));
  const parked = createParkedCalls(clock, parkLimits);
  const service = createModernService({ front, calls: parked, clock });
  const threads: Thread[] = [];
  const clients = Array.from({ length: 1 + random.int(4) }, (_, index): SimClient => {
    const name = `c${index + 1}`;
    const principal = random.pick(['ann', 'bob']);
    if (profile.clients === 'stateless' || random.chance(0.5))
      return createModernClient({
        ...context,
        name,
        principal,
        owner: `anyone of ${principal}`,
        threads,
        open: (send) => service.open(principal, send),
      });
    return createLegacyClient({
      ...context,
      name,
      sole: false,
      open: (send) => createLegacyDoor({ front, clock, principal, send }),
    });
  });
  return {
    clients,
    parked,
    close() {
      parked.close();
      service.close();
    },
  };
}

/** One client, of whom everything may be assumed. */
function openPipe(workbench: Workbench, profile: Profile, context: Omit<ClientContext, 'open'>): Parts {
  const { clock } = context;
  workbench.admit('one');
  const front = createFront(workbench, clock);
  const open: ClientContext['open'] = (send) => createPipeDoor({ front, clock, send });
  const client =
    profile.clients === 'legacy'
      ? createLegacyClient({ ...context, name: 'c1', sole: true, open })
      : createModernClient({ ...context, name: 'c1', principal: '', owner: 'sole', threads: [], open });
  return { clients: [client], parked: undefined, close() {} };
}
