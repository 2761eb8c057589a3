/** When everything has come to rest, and no server fails any more, every server that is in force can be called, whatever happened to it. */
import { toToolCall } from '../../../src/workbench/calls/tool-request.ts';
import { type Plan, toJson } from '../plan.ts';
import type { World } from '../world.ts';
import { withMarks } from './sim-client.ts';

const plan: Plan = { steps: [], end: 'answer', late: undefined, stubborn: false };
const owner = 'the last';

/** One that is down is left alone for so long at most. */
export const longestDownMs = 300_000;

/** Calls each of them; gives the check that all have answered. */
export function callAll({ workbench, judge, specs, fleet }: World): () => void {
  const open = new Set<string>();
  for (const {
    name,
    tools,
    failure,
    toolboxes: [toolbox = ''],
  } of workbench.servers()) {
    // It did not list them in time, and has not said since that they have changed.
    if (tools === 0 || failure?.code === 'WB1024') continue;
    const nonce = `n${judge.calls.size + 1}`;
    judge.call({ nonce, owner, spec: specs.find((spec) => spec.name === name)!, repeatable: false });
    const attempt = judge.begin({ owner, method: 'tools/call', nonce });
    const params = withMarks({ arguments: { plan: toJson(plan) } }, { nonce, attempt });
    open.add(name);
    fleet.generations.received(attempt);
    workbench.forward({ toolbox, server: name, name: 'work' }, { ...toToolCall({}), params }).then(
      (outcome) => {
        open.delete(name);
        if ('result' in outcome) judge.answered(attempt, { result: outcome.result.value });
        else judge.fail(`${name} gave no answer although nothing is wrong with it`);
      },
      (error: unknown) => judge.fail(`${name} cannot be called although nothing is wrong with it: ${String(error)}`),
    );
  }
  return () => {
    for (const name of open) judge.fail(`the last call to ${name} was not answered`);
  };
}
