/** From a call to what stands at an address to the call that its server is sent. */
import type { Call } from '../base/call.ts';
import type { Kind } from '../catalog/kind.ts';
import type { LinkStatus } from '../downstream/link-status.ts';
import type { Address } from '../toolbox/toolbox.ts';
import { planTask } from './plan-task.ts';
import { getEntry, getToolbox } from './resolve.ts';
import type { Snapshot } from './snapshot.ts';

export interface OwnCallOptions {
  readonly address: Address;
  readonly kind: Kind;
  /** Why the server of the address cannot be used, when it cannot. */
  findFailure(): LinkStatus['failure'];
}

/** Fails with a WorkbenchError when there is nothing at the address. */
export function toOwnCall(call: Call, snapshot: Snapshot, { address, kind, findFailure }: OwnCallOptions): Call {
  const { item, address: own } = getEntry(getToolbox(snapshot, address.toolbox), kind, address, findFailure);
  const named = { ...call, params: { ...call.params, name: own.name } };
  if (kind !== 'tools') return named;
  const planned = planTask(named, item.definition);
  // Whoever asked for a task need not wait for the server to agree: the task is ours.
  if (call.task?.wish !== undefined) call.task.onTask?.({});
  return planned;
}
