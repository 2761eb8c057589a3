/** Makes the front of a workbench in its configured mode. */
import { type Clock, systemClock } from '../base/clock.ts';
import { errorTable } from '../base/errors.ts';
import type { Mode } from '../config/config.ts';
import type { Bench } from '../workbench/bench.ts';
import { createDynamicSession } from './dynamic.ts';
import { createFlatSession } from './flat.ts';
import { createFlatView, type FlatView, ownFlatView } from './flat-view.ts';
import { followMode } from './follow-mode.ts';
import type { Front, FrontSession, SessionOptions } from './front.ts';
import { createMetaSession } from './meta.ts';
import { createRefresher } from './refresh-known.ts';

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
    // Everything is shown at once, so all must be heard that is not known; the first client says what servers are told of it.
    bench.startMissing();
    let { config } = bench;
    // What a reload has added was never started.
    bench.onChanged(() => {
      if (bench.config === config) return;
      config = bench.config;
      if (config.mode === 'flat') bench.startAll(findUntried(bench));
    });
    return createFlatView(bench);
  };
  const modes: Record<Mode, (own: Bench, options: SessionOptions) => FrontSession> = {
    meta: createMetaSession,
    dynamic: createDynamicSession,
    flat(own) {
      flatView ??= openFlatView();
      const view = ownFlatView(own, { bench, view: flatView });
      return createFlatSession(own, view, { clock, onListed: refresh });
    },
  };
  return (client, options) => {
    const own = bench.of(client);
    return followMode(own, (mode, opened) => modes[mode](own, { ...options, clock, opened }));
  };
}

function findUntried(bench: Bench): string[] {
  const untried = bench.servers().filter(({ state }) => state === 'configured');
  return untried.map(({ key }) => key);
}
