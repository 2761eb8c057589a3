/** Makes the front of a workbench in its configured mode. */
import { type Clock, systemClock } from '../base/clock.ts';
import type { Bench } from '../workbench/bench.ts';
import { createDynamicSession } from './dynamic.ts';
import { createFlatSession } from './flat.ts';
import { createFlatView, type FlatView } from './flat-view.ts';
import type { Front, FrontSession } from './front.ts';
import { createMetaSession } from './meta.ts';

export function createFront(bench: Bench, clock: Clock = systemClock): Front {
  return {
    connect: sessionMaker(bench, clock),
    setLogLevel: (level) => bench.setLogLevel(level),
    onServerLog: (listener) => bench.onServerLog(listener),
  };
}

function sessionMaker(bench: Bench, clock: Clock): Front['connect'] {
  let flatView: FlatView | undefined;
  const modes: Record<typeof bench.config.mode, (options: { constantLists: boolean }) => FrontSession> = {
    meta: ({ constantLists }) => createMetaSession(bench, { clock, constantLists }),
    dynamic: ({ constantLists }) => createDynamicSession(bench, { clock, constantLists }),
    flat() {
      // Everything is shown at once, so everything is needed at once; the first client says what servers are told of it.
      if (flatView === undefined) bench.startAll();
      flatView ??= createFlatView(bench);
      return createFlatSession(bench, flatView, clock);
    },
  };
  const make = modes[bench.config.mode];
  return (client, options) => {
    bench.meet(client);
    return make(options);
  };
}
