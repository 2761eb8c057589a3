/** Makes the front of a workbench in its configured mode. */

import { type Clock, systemClock } from '../base/async/clock.ts';
import { errorTable } from '../base/errors/errors.ts';
import { modeFacts } from '../base/mode.ts';
import type { Mode } from '../config/model/config.ts';
import type { WorkbenchView } from '../workbench/view/workbench-view.ts';
import type { Front, FrontConnectOptions, ModeSession, SessionContext } from './front.ts';
import { createFlatView, type FlatView, ownFlatView } from './lists/flat-view.ts';
import { createModeSwitchingSession } from './mode-switching-session.ts';
import { createDynamicSession } from './modes/dynamic.ts';
import { createFlatSession } from './modes/flat.ts';
import { createMetaSession } from './modes/meta.ts';
import { createSearchSession } from './modes/search.ts';
import { createRefresher } from './refresh-known.ts';
import { createSeenLinks } from './uris/seen-links.ts';

export function createFront(bench: WorkbenchView, clock: Clock = systemClock): Front {
  const open = sessionMaker(bench, clock);
  return {
    clientConnected: (client) => bench.clientConnected(client),
    connect(client, options) {
      bench.clientConnected(client);
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

function sessionMaker(bench: WorkbenchView, clock: Clock): Front['connect'] {
  let flatView: FlatView | undefined;
  const refresh = createRefresher(bench, clock);
  let isLearning = false;
  const learnAll = () => {
    if (isLearning) return;
    isLearning = true;
    // All servers without a known list must start; the first client says what servers are told about it.
    bench.startMissing();
    let { config } = bench;
    // Servers that a reload has added were never started.
    bench.onChanged(() => {
      if (bench.config === config) return;
      config = bench.config;
      if (modeFacts[config.mode].learnsAll) bench.startAll(findUntried(bench));
    });
  };
  const modes: Record<Mode, (context: SessionContext, options: FrontConnectOptions) => ModeSession> = {
    meta: createMetaSession,
    dynamic: createDynamicSession,
    flat(context) {
      learnAll();
      flatView ??= createFlatView(bench);
      return createFlatSession(context, {
        view: ownFlatView(context.bench, { bench, view: flatView }),
        onListed: refresh,
      });
    },
    search(context) {
      learnAll();
      return createSearchSession(context, { onListed: refresh });
    },
  };
  return (client, options) => {
    const context = { bench: bench.of(client), clock, links: createSeenLinks(), opened: new Set<string>() };
    return createModeSwitchingSession(context, (mode) => modes[mode](context, options));
  };
}

function findUntried(bench: WorkbenchView): string[] {
  const untried = bench.servers().filter(({ state }) => state === 'configured');
  return untried.map(({ key }) => key);
}
