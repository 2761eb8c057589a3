import { describe, expect, it } from 'vitest';
import { toText } from '../../fixtures/soak/text.mjs';
import type { CallPlan } from '../plan.ts';
import { createTally } from '../tally.ts';
import { badServers, healthyServers, type SoakServer } from '../trouble/scenery.ts';
import type { Answer } from './answer.ts';
import type { Asking, SoakClient } from './client.ts';
import { makeCall } from './make-call.ts';

const [healthy, bad] = [healthyServers[0] as SoakServer, badServers[0] as SoakServer];

function plan(server: SoakServer, more: Partial<CallPlan> = {}): CallPlan {
  const call = { kind: 'call', tool: 'work', size: 50, load: 0, steps: 0, cancelAfterMs: 0 } as const;
  return { ...call, nonce: `${server.name}.7.`, server, ...more };
}

const text = (words: string): Answer => ({ kind: 'result', result: { content: [{ type: 'text', text: words }] } });
const failed: Answer = { kind: 'failed', why: 'the connection was reset' };
const told: Answer = {
  kind: 'result',
  result: { isError: true, content: [{ type: 'text', text: 'It has gone. [WB1010]' }] },
};

/** A client that is given this answer, and does something before. */
function clientWith(answer: Answer, before: (asking: Asking) => void = () => {}): SoakClient {
  return {
    era: 'legacy',
    open: 0,
    ask(asking) {
      before(asking);
      return { answer: Promise.resolve(answer), cancel() {} };
    },
    renew: async () => {},
    close: async () => {},
  };
}

async function judge(each: CallPlan, client: SoakClient, killed = false) {
  const tally = createTally();
  await makeCall(each, client, { tally, wasKilled: () => killed, faultOf: () => 'hang' });
  return { faults: Object.fromEntries(tally.faults), bad: tally.bad };
}

describe('a call of the soak', () => {
  const own = `${healthy.name}.7.`;
  it.each<[string, Answer, Record<string, number>]>([
    ['its own answer', text(toText(own, healthy.name, 50)), {}],
    ['the answer of another call', text(toText(`${healthy.name}.8.`, healthy.name, 50)), { misrouted: 1 }],
    ['the beginning of its answer', text(toText(own, healthy.name, 49)), { damaged: 1 }],
    ['no answer', { kind: 'none' }, { lost: 1 }],
    ['a broken connection', failed, { lost: 1 }],
    ['a failure', told, { refused: 1 }],
  ])('to a healthy server is judged when it gets %s', async (_, answer, faults) => {
    expect((await judge(plan(healthy), clientWith(answer))).faults).toEqual(faults);
  });

  it('may fail when its server was killed, but not stay without an answer', async () => {
    expect((await judge(plan(healthy), clientWith(told), true)).faults).toEqual({});
    expect((await judge(plan(healthy), clientWith({ kind: 'none' }), true)).faults).toEqual({ lost: 1 });
  });

  it('finds progress and questions of other calls, and progress that is missing', async () => {
    const answer = text(toText(own, healthy.name, 50));
    const foreign = clientWith(answer, ({ onProgress }) => onProgress?.({ message: 'other' }));
    expect((await judge(plan(healthy, { kind: 'progress', steps: 2 }), foreign)).faults).toEqual({
      misrouted: 1,
      progress: 1,
    });
    const asked = text(toText(own, healthy.name, 0) + own);
    const confused = clientWith(asked, ({ onQuestion }) => onQuestion?.({ message: 'Repeat other' }));
    expect((await judge(plan(healthy, { kind: 'ask', size: 0 }), confused)).faults).toEqual({ misrouted: 1 });
  });

  it.each([
    [healthy.name, {}],
    ['another', { misrouted: 1 }],
  ])('may be told by the Workbench that its server is starting, and no other: %s', async (name, faults) => {
    const message = `Server '${name}' is starting …`;
    const client = clientWith(text(toText(own, healthy.name, 50)), ({ onProgress }) => onProgress?.({ message }));
    expect((await judge(plan(healthy, { kind: 'progress' }), client)).faults).toEqual(faults);
  });

  it('to a bad server needs an answer, whichever, but its own', async () => {
    const { faults, bad: answers } = await judge(plan(bad), clientWith(told));
    expect([faults, answers.get('hang')]).toEqual([{}, new Map([['WB1010', 1]])]);
    expect((await judge(plan(bad), clientWith(failed))).faults).toEqual({ unanswered: 1 });
    expect((await judge(plan(bad), clientWith(text('of another')))).faults).toEqual({ misrouted: 1 });
  });
});
