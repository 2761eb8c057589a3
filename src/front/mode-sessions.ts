/** The sessions of each mode over one view, and what its clients share. */
import type { Clock } from '../base/async/clock.ts';
import { type FixedMode, modeFacts } from '../base/mode.ts';
import type { WorkbenchView } from '../workbench/view/workbench-view.ts';
import type { FrontConnectOptions, ModeSession, SessionContext } from './front.ts';
import { createFlatView, type FlatView, ownFlatView } from './lists/flat-view.ts';
import { createDynamicSession } from './modes/dynamic.ts';
import { createFlatSession } from './modes/flat.ts';
import { createMetaSession } from './modes/meta.ts';
import { createSearchSession } from './modes/search.ts';
import { createRefresher } from './refresh-known.ts';

export interface ModeSessions {
  readonly view: WorkbenchView;
  readonly open: Readonly<Record<FixedMode, (context: SessionContext, options: FrontConnectOptions) => ModeSession>>;
}

/** `whole` is the view before a client was considered. */
export function createModeSessions(view: WorkbenchView, whole: WorkbenchView, clock: Clock): ModeSessions {
  let flatView: FlatView | undefined;
  const refresh = createRefresher(view, clock);
  let isLearning = false;
  const learnAll = () => {
    if (isLearning) return;
    isLearning = true;
    // All servers without a known list must start; the first client says what servers are told about it.
    view.startMissing();
    let { config } = whole;
    // Servers that a reload has added were never started.
    view.onChanged(() => {
      if (whole.config === config) return;
      config = whole.config;
      if (modeFacts[config.mode].learnsAll) view.startAll(findUntried(view));
    });
  };
  return {
    view,
    open: {
      meta: createMetaSession,
      dynamic: createDynamicSession,
      flat(context) {
        learnAll();
        flatView ??= createFlatView(view);
        return createFlatSession(context, {
          view: ownFlatView(context.bench, { bench: view, view: flatView }),
          onListed: refresh,
        });
      },
      search(context) {
        learnAll();
        return createSearchSession(context, { onListed: refresh });
      },
    },
  };
}

function findUntried(bench: WorkbenchView): string[] {
  const untried = bench.servers().filter(({ state }) => state === 'configured');
  return untried.map(({ key }) => key);
}
