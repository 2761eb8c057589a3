/** Makes the front of a workbench in its configured mode. */
import { type Clock, systemClock } from '../base/clock.ts';
import type { Bench } from '../workbench/bench.ts';
import { createDynamicSession } from './dynamic.ts';
import { createFlatSession } from './flat.ts';
import { createFlatView } from './flat-view.ts';
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
  const modes: Record<typeof bench.config.mode, () => (options: { constantLists: boolean }) => FrontSession> = {
    meta:
      () =>
      ({ constantLists }) =>
        createMetaSession(bench, { clock, constantLists }),
    dynamic:
      () =>
      ({ constantLists }) =>
        createDynamicSession(bench, { clock, constantLists }),
    flat() {
      // Everything is shown at once, so everything is needed at once.
      bench.startAll();
      const view = createFlatView(bench);
      return () => createFlatSession(bench, view, clock);
    },
  };
  const make = modes[bench.config.mode]();
  return (_client, options) => make(options);
}
