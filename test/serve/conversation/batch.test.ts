import { describe, expect, it } from 'vitest';
import { joinAnswers } from '../../../src/serve/conversation/batch.ts';
import type { Message } from '../../../src/serve/conversation/message.ts';

const request = (id: number): Message => ({ kind: 'request', id, method: 'm', params: {}, meta: {} });

describe('the answers to a batch', () => {
  it('the answers to a batch are those that there are, in the order of the questions', async () => {
    const wait = [30, 10, 20];
    const answers = await joinAnswers(
      [request(0), request(1), { kind: 'notification', method: 'n', params: {} }, request(2)],
      async (message) => {
        if (message.kind !== 'request') return undefined;
        await new Promise((resolve) => setTimeout(resolve, wait[Number(message.id)]));
        return { text: `a${message.id}` };
      },
    );
    expect(answers).toEqual(['a0', 'a1', 'a2']);
  });

  it('the answers to a batch are no larger together than is allowed: each beyond it is an error under its own id', async () => {
    const answers = await joinAnswers([request(1), request(2), request(3)], async () => ({ text: 'x'.repeat(40) }), 90);
    expect(answers.slice(0, 2)).toEqual(['x'.repeat(40), 'x'.repeat(40)]);
    expect(JSON.parse(answers[2] as string)).toMatchObject({
      id: 3,
      error: { code: -32000, data: { code: 'WB1316' } },
    });
  });
});
