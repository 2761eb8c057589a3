/** A value derived from the current snapshot, computed when first asked for and again only after a change. */

import type { Snapshot } from '../../workbench/view/snapshot.ts';
import type { WorkbenchView } from '../../workbench/view/workbench-view.ts';

export function perSnapshot<T>(bench: WorkbenchView, derive: (snapshot: Snapshot) => T): () => T {
  let from: Snapshot | undefined;
  let value: T | undefined;
  return () => {
    if (from !== bench.snapshot) {
      from = bench.snapshot;
      value = derive(from);
    }
    return value as T;
  };
}
