/** The sessions of each mode over one view, and what its clients share. */
import type { Clock } from '../base/async/clock.ts';
import { type FixedMode, modeFacts } from '../base/mode.ts';
import type { WorkbenchView } from '../workbench/view/workbench-view.ts';
import type { FrontConnectOptions, ModeSession, SessionContext } from './front.ts';
import { createFlatView, type FlatView, ownFlatView } from './lists/flat-view.ts';
import { createDynamicSession } from './modes/dynamic.ts';
import { createFlatSession } from './modes/flat.ts';
import { createMetaSession } from './modes/meta.ts';
import { createRefresher } from './refresh-known.ts';

export interface ModeSessions {
  readonly view: WorkbenchView;
  readonly open: Readonly<Record<FixedMode, (context: SessionContext, options: FrontConnectOptions) => ModeSession>>;
}

/** `whole` is the view before a client was considered. */
export function createModeSessions(view: WorkbenchView, whole: WorkbenchView, clock: Clock): ModeSessions {
  let flatView: FlatView | undefined;
  const refresh = createRefresher(view, clock);
  const openFlatView = (): FlatView => {
    // Everything is shown at once, so all servers without a known list must start; the first client says what servers are told
    // about it.
    view.startMissing();
    let { config } = whole;
    // Servers that a reload has added were never started.
    view.onChanged(() => {
      if (whole.config === config) return;
      config = whole.config;
      if (modeFacts[config.mode].showsAll || config.mode === 'auto') view.startAll(findUntried(view));
    });
    return createFlatView(view);
  };
  return {
    view,
    open: {
      meta: createMetaSession,
      dynamic: createDynamicSession,
      flat(context) {
        flatView ??= openFlatView();
        return createFlatSession(context, {
          view: ownFlatView(context.bench, { bench: view, view: flatView }),
          onListed: refresh,
        });
      },
      search: createMetaSession,
    },
  };
}

function findUntried(bench: WorkbenchView): string[] {
  const untried = bench.servers().filter(({ state }) => state === 'configured');
  return untried.map(({ key }) => key);
}
