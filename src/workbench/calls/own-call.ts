/** Turns a call to an address into the call that the server there is sent. */
import type { Call, ServerCall } from '../../base/call/call.ts';
import { TaskRefused } from '../../base/call/task.ts';
import { WorkbenchError } from '../../base/errors/errors.ts';
import { findMember, findObject, findString, type JsonObject } from '../../base/json/json.ts';
import type { Kind } from '../../catalog/kind.ts';
import type { LinkStatus } from '../../downstream/link/link-status.ts';
import { toOwnCall } from '../../toolbox/shape/own-arguments.ts';
import type { Shaped } from '../../toolbox/shape/shaped.ts';
import type { Address } from '../../toolbox/toolbox.ts';
import type { Snapshot } from '../view/snapshot.ts';
import { getEntry, getToolbox } from './resolve.ts';

export interface ServerCallOptions {
  readonly address: Address;
  readonly kind: Kind;
  /** Key of the server that the call goes to. */
  readonly key: string;
  /** Why the server of the address cannot be used, if it cannot. */
  findFailure(): LinkStatus['failure'];
}

const movedMeanwhile = 'The instances of the server have changed while the call was on its way.';

/** Throws a WorkbenchError when nothing exists at the address. */
export function toServerCall(
  call: Call,
  snapshot: Snapshot,
  { address, kind, key, findFailure }: ServerCallOptions,
): Call {
  const { item, shaped } = getEntry(getToolbox(snapshot, address.toolbox), kind, address, findFailure);
  const params: JsonObject = { ...call.params, name: item.name };
  // Only a tool whose configuration says so has its arguments looked at.
  if (shaped !== undefined) {
    const own = toOwnCall(item.shown, shaped, findMember(call.params, 'arguments'));
    if (own.key !== undefined && own.key !== key) throw new WorkbenchError('WB1848', movedMeanwhile);
    params.arguments = own.arguments;
  }
  const named: ServerCall = { ...call, params, ...findHints(item.definition, shaped) };
  if (kind !== 'tools') return named;
  const planned = planTask(named, item.definition);
  // A client that asked for a task need not wait until the server agrees: the task is ours.
  if (call.task?.wish !== undefined) call.task.onTask?.({});
  return planned;
}

/** A person who sets annotations also says whether a lost call may be made again. */
function findHints(definition: JsonObject, shaped: Shaped | undefined): Pick<ServerCall, 'hints'> {
  const isSet = shaped?.changes.some(({ what }) => what === 'annotations');
  return isSet ? { hints: findObject(definition, 'annotations') ?? {} } : {};
}

/**
 * Whether a call is run as a task: as the client asks, and as the definition of the tool allows or demands. Throws TaskRefused
 * when the client asks for a task that the tool forbids, which is the default of a tool.
 */
export function planTask(call: ServerCall, definition: JsonObject): ServerCall {
  const execution = findObject(definition, 'execution');
  const support = execution && findString(execution, 'taskSupport');
  const isWanted = call.task?.wish !== undefined;
  if (support === 'required') return isWanted ? call : { ...call, task: { ...call.task, wish: {} } };
  if (isWanted && support !== 'optional') throw new TaskRefused(findString(call.params, 'name') ?? '');
  return call;
}
