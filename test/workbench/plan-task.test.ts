import { describe, expect, it } from 'vitest';
import { TaskRefused } from '../../src/base/call/task.ts';
import type { JsonObject } from '../../src/base/json/json.ts';
import { planTask } from '../../src/workbench/calls/own-call.ts';
import { buildCall } from '../downstream/fake-server.ts';

const wish = { ttl: 5 };

describe('a call of a tool', () => {
  it.each<[string, JsonObject, object | undefined, object | undefined]>([
    ['that requires it, for a client that does not ask', { execution: { taskSupport: 'required' } }, undefined, {}],
    ['that requires it, as the client asks', { execution: { taskSupport: 'required' } }, wish, wish],
    ['that allows it, as the client asks', { execution: { taskSupport: 'optional' } }, wish, wish],
  ])('a call of a tool is a task for one %s', (_case, definition, task, planned) => {
    expect(planTask(buildCall(task === undefined ? {} : { task }), definition).task?.wish).toEqual(planned);
  });

  it.each<[JsonObject]>([
    [{}],
    [{ execution: null }],
    [{ execution: {} }],
    [{ execution: { taskSupport: 'forbidden' } }],
    [{ execution: { taskSupport: 'sometimes' } }],
  ])('a call of a tool is none, and cannot be one, for %j', (definition) => {
    const call = buildCall();
    expect(planTask(call, definition)).toBe(call);
    expect(() => planTask(buildCall({ task: wish }), definition)).toThrow(TaskRefused);
  });

  it('a call of a tool is none unless the client asks where that is up to it', () => {
    expect(planTask(buildCall(), { execution: { taskSupport: 'optional' } }).task).toBeUndefined();
  });
});
