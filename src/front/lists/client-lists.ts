/** The lists of one client: serves them page by page, and reports when one differs from what the client was given. */
import type { Clock } from '../../base/async/clock.ts';
import { capabilities, type Kind, kindRules, kindsOf } from '../../catalog/kind.ts';
import type { WorkbenchView } from '../../workbench/view/workbench-view.ts';
import type { FrontSession } from '../front.ts';
import { listHint, ownHint } from './list-hint.ts';
import { createListWatch } from './list-watch.ts';
import type { PagedList } from './paged-list.ts';

export interface ClientLists extends Pick<FrontSession, 'list' | 'hint' | 'onClientListChanged' | 'close'> {
  /** Call when the view of this client may have changed. */
  check(): void;
}

export interface ClientListsOptions {
  readonly bench: WorkbenchView;
  readonly clock: Clock;
  /** The list of a kind as this client would get it now. */
  current(kind: Kind): PagedList;
  /** Whether a list of this kind consists of what servers list; otherwise it is our own. */
  isOfServers?(kind: Kind): boolean;
  /** Resolves when a list may be given. */
  ready?(kind: Kind): Promise<void>;
}

export function createClientLists({
  bench,
  clock,
  current,
  ready,
  isOfServers = () => true,
}: ClientListsOptions): ClientLists {
  const watches = new Map(
    capabilities.map((capability) => {
      const lists = new Map(kindsOf(capability).map((kind) => [kind, () => current(kind)]));
      return [capability, createListWatch(clock, lists)];
    }),
  );
  const check = () => {
    for (const watch of watches.values()) watch.check();
  };
  return {
    async list(kind, cursor) {
      await ready?.(kind);
      const page = current(kind).findPage(cursor);
      watches.get(kindRules[kind].capability)?.given(kind);
      return page;
    },
    hint: (kind) => (isOfServers(kind) ? listHint(bench, kind) : ownHint(bench)),
    onClientListChanged: (capability, listener) => watches.get(capability)?.on(listener) ?? (() => {}),
    check,
    close() {
      for (const watch of watches.values()) watch.close();
    },
  };
}
