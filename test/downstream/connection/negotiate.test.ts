import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { negotiate } from '../../../src/downstream/connection/negotiate.ts';
import { RpcPeer } from '../../../src/downstream/rpc/rpc-peer.ts';
import { createFakeClock } from '../../support/fake-clock.ts';

type Answers = Record<string, JsonObject | undefined>;
const discovered = {
  result: {
    supportedVersions: ['2026-07-28'],
    capabilities: { tools: {} },
    _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'm', version: '1' } },
  },
};
const initialized = {
  result: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'l', version: '2' } },
};
const unknownMethod = { error: { code: -32601, message: 'Method not found' } };

interface StartOptions {
  readonly expected?: 'legacy';
  onAnswered?(): void;
  /** Milliseconds from the beginning until a method is answered, instead of at once. */
  readonly after?: Record<string, number>;
}

/** A server that answers at once what `answers` holds and is silent on the rest. */
function start(answers: Answers, { expected, onAnswered = () => {}, after = {} }: StartOptions = {}) {
  const clock = createFakeClock();
  const asked: string[] = [];
  const sent: JsonObject[] = [];
  let silent = false;
  let late = false;
  const peer: RpcPeer = new RpcPeer(
    {
      send({ line }) {
        const { id, method, params } = JSON.parse(String(line)) as { id: number; method: string; params: JsonObject };
        asked.push(method);
        sent.push(params);
        const answer = answers[method];
        const give = () => peer.receive(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
        const at = after[method];
        if (answer !== undefined && at !== undefined) clock.after(at - clock.now(), give);
        else if (answer !== undefined) queueMicrotask(give);
        onAnswered();
      },
      onNoise() {},
    },
    { notified() {}, asked: async () => ({ result: {} }), refuses: () => false },
  );
  const edge = negotiate(peer, {
    clock,
    identity: { name: 'w', version: '0' },
    declared: { elicitation: { url: {} }, roots: { listChanged: true } },
    expected,
    silenceMs: 3_000,
    onSilent: () => {
      silent = true;
    },
    onLate: () => {
      late = true;
    },
  });
  edge.catch(() => {});
  return { edge, clock, asked, sent, wasSilent: () => silent, wasLate: () => late };
}

describe('finding out the era of a server', () => {
  it('takes a server that answers server/discover as stateless and never shakes hands', async () => {
    const { edge, asked } = start({ 'server/discover': discovered, initialize: initialized });
    expect(await edge).toMatchObject({
      era: 'modern',
      protocolVersion: '2026-07-28',
      info: { name: 'm', version: '1' },
    });
    expect(asked).toEqual(['server/discover']);
  });

  it.each([-32601, -32602, -32600, -32000, 0])('falls back to the handshake on error %d', async (code) => {
    const { edge, asked } = start({ 'server/discover': { error: { code, message: 'no' } }, initialize: initialized });
    expect(await edge).toMatchObject({
      era: 'legacy',
      protocolVersion: '2025-06-18',
      info: { name: 'l', version: '2' },
    });
    expect(asked).toEqual(['server/discover', 'initialize', 'notifications/initialized']);
  });

  it('declares what it was given: to either era in its own shape', async () => {
    const { edge, sent } = start({ 'server/discover': unknownMethod, initialize: initialized });
    await edge;
    expect(sent[0]).toMatchObject({
      _meta: { 'io.modelcontextprotocol/clientCapabilities': { elicitation: { url: {} }, roots: {} } },
    });
    expect(JSON.stringify(sent[0])).not.toContain('listChanged');
    expect(sent[1]).toMatchObject({ capabilities: { elicitation: { url: {} }, roots: { listChanged: true } } });
  });

  it('asks once more when its version is refused and named as one that would do', async () => {
    const refusal = { error: { code: -32022, message: 'not now', data: { supported: ['2026-07-28'] } } };
    const answers: Answers = { 'server/discover': refusal };
    const onAnswered = () => {
      answers['server/discover'] = discovered;
    };
    const { edge, asked } = start(answers, { onAnswered });
    expect(await edge).toMatchObject({ era: 'modern' });
    expect(asked).toEqual(['server/discover', 'server/discover']);
  });

  it('does not ask a third time', async () => {
    const data = { supported: ['2026-07-28'] };
    const { edge, asked } = start({ 'server/discover': { error: { code: -32022, message: 'never', data } } });
    await expect(edge).rejects.toMatchObject({ code: 'WB1008' });
    expect(asked).toEqual(['server/discover', 'server/discover']);
  });

  it('tries the handshake after a silence, and reports the silence', async () => {
    const { edge, clock, asked, wasSilent } = start({ initialize: initialized });
    await clock.advance(2_999);
    expect(asked).toEqual(['server/discover']);
    await clock.advance(1);
    expect(asked).toEqual(['server/discover', 'initialize']);
    await clock.advance(500);
    expect(await edge).toMatchObject({ era: 'legacy' });
    expect(wasSilent()).toBe(true);
  });

  it.each([
    ['before the answer to the handshake', 3_500, 4_000],
    ['together with it', 4_000, 4_000],
    ['a moment after it', 4_300, 4_000],
  ])('takes a server that is only slow as stateless when it answers the probe %s', async (_, probeMs, handshakeMs) => {
    const { edge, clock, wasSilent } = start(
      { 'server/discover': discovered, initialize: initialized },
      { after: { 'server/discover': probeMs, initialize: handshakeMs } },
    );
    await clock.advance(10_000);
    expect(await edge).toMatchObject({ era: 'modern' });
    expect(wasSilent()).toBe(false);
  });

  it('says so when a server that was taken for old answers the probe after all', async () => {
    const { edge, clock, wasSilent, wasLate } = start(
      { 'server/discover': discovered, initialize: initialized },
      { after: { 'server/discover': 9_000 } },
    );
    await clock.advance(3_500);
    expect(await edge).toMatchObject({ era: 'legacy' });
    expect([wasSilent(), wasLate()]).toEqual([true, false]);
    await clock.advance(6_000);
    expect(wasLate()).toBe(true);
  });

  it('does not probe a server that is known to be of the handshake era', async () => {
    const { edge, asked } = start({ initialize: initialized }, { expected: 'legacy' });
    expect(await edge).toMatchObject({ era: 'legacy' });
    expect(asked[0]).toBe('initialize');
  });

  it('finds a stateless server although it was remembered as one of the handshake era', async () => {
    const { edge } = start({ initialize: unknownMethod, 'server/discover': discovered }, { expected: 'legacy' });
    expect(await edge).toMatchObject({ era: 'modern' });
  });

  it('shakes hands with a server that knows discover but offers only handshake versions', async () => {
    const supported = { error: { code: -32022, message: 'no', data: { supported: ['2025-11-25'] } } };
    const { edge } = start({ 'server/discover': supported, initialize: initialized });
    expect(await edge).toMatchObject({ era: 'legacy' });
  });

  it.each([
    ['an error', { error: { code: -32022, message: 'no', data: { supported: ['2027-01-01'] } } }],
    ['a result', { result: { supportedVersions: ['2027-01-01'], capabilities: {} } }],
  ])('refuses a server that offers only newer versions by %s, without a handshake', async (_how, answer) => {
    const { edge, asked } = start({ 'server/discover': answer, initialize: initialized });
    await expect(edge).rejects.toMatchObject({ code: 'WB1008' });
    expect(asked).not.toContain('initialize');
  });

  it('refuses a server whose handshake names an unknown version', async () => {
    const { edge } = start({
      'server/discover': unknownMethod,
      initialize: { result: { protocolVersion: '1999-01-01' } },
    });
    await expect(edge).rejects.toMatchObject({ code: 'WB1008' });
  });

  it('says so when a server refuses both', async () => {
    const { edge } = start({
      'server/discover': unknownMethod,
      initialize: { error: { code: 1, message: 'go away' } },
    });
    await expect(edge).rejects.toMatchObject({ code: 'WB1007', message: expect.stringContaining('go away') });
  });
});
