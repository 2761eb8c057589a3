/** Makes the front of a workbench. What a client is shown follows from the configuration and, in mode `auto`, from the client. */

import { type Clock, systemClock } from '../base/async/clock.ts';
import type { Client } from '../base/call/call.ts';
import { errorTable } from '../base/errors/errors.ts';
import type { WorkbenchView } from '../workbench/view/workbench-view.ts';
import type { Front, FrontConnectOptions, FrontSession } from './front.ts';
import { createModeSessions } from './mode-sessions.ts';
import { createModeSwitchingSession } from './mode-switching-session.ts';
import { identifyClient } from './surface/identify-client.ts';
import { createShownSurfaces } from './surface/shown-surfaces.ts';
import { createSeenLinks } from './uris/seen-links.ts';

/** `scope` tells the fronts of one workbench apart that show different parts of it. */
export function createFront(bench: WorkbenchView, clock: Clock = systemClock, scope = ''): Front {
  const open = sessionMaker(bench, clock, scope);
  const toFront = (id: string | undefined): Front => ({
    clientConnected: (client) => bench.clientConnected(client),
    connect(client, options) {
      bench.clientConnected(client);
      return open(client, options, id);
    },
    findOwn: (client) => (bench.differsFor(client) ? open(client, { constantLists: true }, id) : undefined),
    setLogLevel: (level, client) => bench.setLogLevel(level, client),
    findLoop: (trail) =>
      bench.chain.met(trail)
        ? `This Workbench is asked by itself: a server of its configuration leads back to it. ${errorTable.WB1023.fix} [WB1023]`
        : undefined,
    reaches: () => bench.chain.reaches(bench.config.servers.keys()),
    onWarning: (listener) => bench.onWarning(listener),
    forClient,
  });
  const fronts = new Map<string, Front>();
  const forClient = (stated: string): Front => {
    // The id may be any text: all that are not known share one front.
    const { id } = identifyClient(bench.config, { id: stated, name: undefined }).row;
    const front = fronts.get(id) ?? toFront(id);
    fronts.set(id, front);
    return front;
  };
  return toFront(undefined);
}

function sessionMaker(
  bench: WorkbenchView,
  clock: Clock,
  scope: string,
): (client: Client, options: FrontConnectOptions, id: string | undefined) => FrontSession {
  const choose = createShownSurfaces({ bench, scope, share: (view) => createModeSessions(view, bench, clock) });
  return (client, options, id) => {
    const common = { clock, links: createSeenLinks(), opened: new Set<string>() };
    // Lists that must stay the same must not follow from what a client says of itself with each request.
    const who = { id, name: options.constantLists ? undefined : client.name };
    return createModeSwitchingSession({
      bench: bench.of(client),
      opened: common.opened,
      onChosen: bench.choices.onKept,
      choose: () => choose(who, ({ view, open }, mode) => open[mode]({ ...common, bench: view.of(client) }, options)),
    });
  };
}
