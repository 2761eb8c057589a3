/** Whether a call is run as a task: as the client asks, and as the definition of the tool allows or demands. */
import type { Call } from '../base/call.ts';
import { findObject, findString, type JsonObject } from '../base/json.ts';
import { TaskRefused } from '../base/task.ts';

/** Throws TaskRefused when the client asks for what the tool forbids, which is the rule unless it says otherwise. */
export function planTask(call: Call, definition: JsonObject): Call {
  const execution = findObject(definition, 'execution');
  const support = execution && findString(execution, 'taskSupport');
  const isWanted = call.task?.wish !== undefined;
  if (support === 'required') return isWanted ? call : { ...call, task: { ...call.task, wish: {} } };
  if (isWanted && support !== 'optional') throw new TaskRefused(findString(call.params, 'name') ?? '');
  return call;
}
