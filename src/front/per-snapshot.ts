/** A value derived from the current snapshot, computed when first asked for and again only after a change. */
import type { Snapshot } from '../workbench/snapshot.ts';
import type { Workbench } from '../workbench/workbench.ts';

export function perSnapshot<T>(workbench: Workbench, derive: (snapshot: Snapshot) => T): () => T {
  let from: Snapshot | undefined;
  let value: T | undefined;
  return () => {
    if (from !== workbench.snapshot) {
      from = workbench.snapshot;
      value = derive(from);
    }
    return value as T;
  };
}
