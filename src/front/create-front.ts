/** Makes the front of a workbench in its configured mode. */
import { type Clock, systemClock } from '../base/clock.ts';
import type { Workbench } from '../workbench/workbench.ts';
import { createDynamicSession } from './dynamic.ts';
import { createFlatSession, createFlatView } from './flat.ts';
import type { Front, FrontSession } from './front.ts';
import { createMetaSession } from './meta.ts';

export function createFront(workbench: Workbench, clock: Clock = systemClock): Front {
  return {
    connect: sessionMaker(workbench, clock),
    setLogLevel: (level) => workbench.setLogLevel(level),
    onServerLog: (listener) => workbench.onServerLog(listener),
  };
}

function sessionMaker(workbench: Workbench, clock: Clock): Front['connect'] {
  const modes: Record<typeof workbench.config.mode, () => (options: { constantLists: boolean }) => FrontSession> = {
    meta: () => () => createMetaSession(workbench),
    dynamic:
      () =>
      ({ constantLists }) =>
        createDynamicSession(workbench, { clock, constantLists }),
    flat() {
      // Everything is shown at once, so everything is needed at once.
      workbench.startAll();
      const view = createFlatView(workbench);
      return () => createFlatSession(workbench, view, clock);
    },
  };
  const make = modes[workbench.config.mode]();
  return (_client, options) => make(options);
}
