import { describe, expect, it } from 'vitest';
import { createConversation } from './conversation.ts';

describe('a conversation', () => {
  const talk = ({ onPipe = false } = {}) => {
    const found: string[] = [];
    const conversation = createConversation({ stray: () => found.push('stray'), twice: () => found.push('twice') });
    const { id } = conversation.begin({ method: 'tools/call', params: {} });
    return { found, take: (message: object) => conversation.take({ ...message }, onPipe ? undefined : id, () => {}) };
  };

  it('notices a second answer to one request', () => {
    const { found, take } = talk();
    take({ id: 1, result: {} });
    expect(found).toEqual([]);
    take({ id: 1, result: {} });
    expect(found).toEqual(['twice']);
  });

  it.each([
    ['an answer to what was never asked', { id: 2, result: {} }],
    ['a question although the call takes none', { id: 'q', method: 'elicitation/create', params: { message: 'x' } }],
    ['progress of another call', { method: 'notifications/progress', params: { progressToken: 2 } }],
  ])('notices %s', (_, message) => {
    const { found, take } = talk();
    take(message);
    expect(found).toEqual(['stray']);
  });

  it('notices on a pipe, too, an answer to what was never asked', () => {
    const { found, take } = talk({ onPipe: true });
    take({ id: 2, result: {} });
    expect(found).toEqual(['stray']);
  });

  it.each([
    [true, []],
    [false, ['stray']],
  ])(
    'takes a question on the stream of another call only when its server cannot know better: %s',
    (anywhere, strays) => {
      const found: string[] = [];
      const asked: string[] = [];
      const conversation = createConversation({ stray: () => found.push('stray'), twice: () => found.push('twice') });
      const onQuestion = ({ message }: Record<string, unknown>) => {
        asked.push(String(message));
        return {};
      };
      const params = { arguments: { nonce: 'a.1.' } };
      conversation.begin({ method: 'tools/call', params, onQuestion, askedAnywhere: anywhere });
      const { id } = conversation.begin({ method: 'tools/call', params: {} });
      conversation.take({ id: 'q', method: 'elicitation/create', params: { message: 'Repeat a.1.' } }, id, () => {});
      expect([found, asked]).toEqual([strays, anywhere ? ['Repeat a.1.'] : []]);
    },
  );
});
