import { describe, expect, it } from 'vitest';
import { RpcPeer } from '../../../src/downstream/rpc/rpc-peer.ts';

function createPeer(takesBack?: boolean) {
  const sent: string[] = [];
  const takenBack: number[] = [];
  const takeBack = (id: number) => {
    takenBack.push(id);
    return takesBack === true;
  };
  const peer = new RpcPeer(
    {
      send: ({ line }) => sent.push(String(line)),
      onNoise() {},
      ...(takesBack === undefined ? {} : { takeBack }),
    },
    { notified() {}, asked: async () => ({ result: {} }), refuses: () => false },
  );
  return { peer, sent, takenBack };
}

describe('a conversation whose transport takes part', () => {
  it('lets the transport answer a request, once', async () => {
    const { peer } = createPeer();
    const { id, outcome } = peer.request('a', () => ({}));
    expect(peer.awaits(id)).toBe(true);
    peer.settle(id, { error: { code: 1, message: 'first' } });
    peer.settle(id, { error: { code: 2, message: 'second' } });
    expect(await outcome).toEqual({ error: { code: 1, message: 'first' } });
    expect(peer.awaits(id)).toBe(false);
  });

  it('lets the transport fail one request and no other', async () => {
    const { peer } = createPeer();
    const [first, second] = [peer.request('a', () => ({})), peer.request('b', () => ({}))];
    peer.reject(first.id, new Error('lost'));
    await expect(first.outcome).rejects.toThrow('lost');
    expect(peer.awaits(second.id)).toBe(true);
  });

  it.each([
    [true, 1],
    [false, 2],
    [undefined, 2],
  ])('tells the server of a cancelled request unless the transport (%s) did', (takesBack, messages) => {
    const { peer, sent } = createPeer(takesBack);
    peer.request('a', () => ({})).cancel('enough');
    expect(sent).toHaveLength(messages);
  });

  it('has an abandoned request taken back without a word to the server', () => {
    const { peer, sent, takenBack } = createPeer(false);
    const { id, abandon } = peer.request('a', () => ({}));
    abandon();
    expect(takenBack).toEqual([id]);
    expect(sent).toHaveLength(1);
  });
});
