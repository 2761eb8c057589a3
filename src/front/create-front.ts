/** Makes the front of a workbench in its configured mode. */
import { type Clock, systemClock } from '../base/clock.ts';
import { errorTable } from '../base/errors.ts';
import type { Mode } from '../config/config.ts';
import type { Bench } from '../workbench/bench.ts';
import { createDynamicSession } from './dynamic.ts';
import { createFlatSession } from './flat.ts';
import { createFlatView, type FlatView, ownFlatView } from './flat-view.ts';
import { followMode } from './follow-mode.ts';
import type { ConnectOptions, Front, ModeSession, SessionContext } from './front.ts';
import { createMetaSession } from './meta.ts';
import { createRefresher } from './refresh-known.ts';
import { createSeenLinks } from './seen-links.ts';

export function createFront(bench: Bench, clock: Clock = systemClock): Front {
  const open = sessionMaker(bench, clock);
  return {
    meet: (client) => bench.meet(client),
    connect(client, options) {
      bench.meet(client);
      return open(client, options);
    },
    findOwn: (client) => (bench.differsFor(client) ? open(client, { constantLists: true }) : undefined),
    setLogLevel: (level, client) => bench.setLogLevel(level, client),
    findLoop: (trail) =>
      bench.chain.met(trail)
        ? `This Workbench is asked by itself: a server of its configuration leads back to it. ${errorTable.WB1023.fix} [WB1023]`
        : undefined,
    reaches: () => bench.chain.reaches(bench.config.servers.keys()),
    onWarning: (listener) => bench.onWarning(listener),
  };
}

function sessionMaker(bench: Bench, clock: Clock): Front['connect'] {
  let flatView: FlatView | undefined;
  const refresh = createRefresher(bench, clock);
  const openFlatView = (): FlatView => {
    // Everything is shown at once, so all servers without a known list must start; the first client says what servers are told
    // about it.
    bench.startMissing();
    let { config } = bench;
    // Servers that a reload has added were never started.
    bench.onChanged(() => {
      if (bench.config === config) return;
      config = bench.config;
      if (config.mode === 'flat') bench.startAll(findUntried(bench));
    });
    return createFlatView(bench);
  };
  const modes: Record<Mode, (context: SessionContext, options: ConnectOptions) => ModeSession> = {
    meta: createMetaSession,
    dynamic: createDynamicSession,
    flat(context) {
      flatView ??= openFlatView();
      return createFlatSession(context, {
        view: ownFlatView(context.bench, { bench, view: flatView }),
        onListed: refresh,
      });
    },
  };
  return (client, options) => {
    const context = { bench: bench.of(client), clock, links: createSeenLinks(), opened: new Set<string>() };
    return followMode(context, (mode) => modes[mode](context, options));
  };
}

function findUntried(bench: Bench): string[] {
  const untried = bench.servers().filter(({ state }) => state === 'configured');
  return untried.map(({ key }) => key);
}
