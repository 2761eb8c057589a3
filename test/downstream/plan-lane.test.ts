import { describe, expect, it } from 'vitest';
import type { Client, ClientSession } from '../../src/base/call.ts';
import { type Lane, type LaneGround, planLane } from '../../src/downstream/plan-lane.ts';

const session: ClientSession = {
  capabilities: {},
  ask: async () => ({ result: {} }),
  tell() {},
  onRootsChanged: () => () => {},
  onClose: () => () => {},
};
const lasting: Client = { name: 'lasting', principal: '', session };
const passing: Client = { name: 'passing', principal: '' };
const stdio = { kind: 'stdio', command: 'x', args: [], env: {}, cwd: '/' } as const;
const http = { kind: 'http', url: 'http://x', headers: {}, variant: 'auto' } as const;

type Row = [string, LaneGround['definition']['sharing'], Partial<LaneGround>, Client, Lane];
const rows: Row[] = [
  ['an old server that never asked is shared', undefined, {}, lasting, 'main'],
  ['an old server that asks gets one for each session', undefined, { asks: true }, lasting, 'session'],
  ['a client without a session has it to itself while it calls', undefined, { asks: true }, passing, 'exclusive'],
  ['a sole client has the shared one to itself', undefined, { asks: true, sole: true }, lasting, 'main'],
  ['a sole client without a session shares while nothing is asked', 'perSession', { sole: true }, passing, 'main'],
  ['and has its calls kept apart afterwards', undefined, { asks: true, sole: true }, passing, 'exclusive'],
  ['a modern server asks in its answers and is shared', undefined, { asks: true, era: 'modern' }, lasting, 'main'],
  ['what is stated counts: shared', 'shared', { asks: true }, lasting, 'main'],
  ['what is stated counts: perSession', 'perSession', {}, lasting, 'session'],
  ['perSession for a client without a session', 'perSession', {}, passing, 'exclusive'],
  ['perSession for a modern server too', 'perSession', { era: 'modern' }, lasting, 'session'],
  ['perSession of a sole client is the shared one', 'perSession', { sole: true }, lasting, 'main'],
  ['perCall, even for a sole client', 'perCall', { sole: true }, lasting, 'call'],
];

describe('who uses a running server together', () => {
  it.each(rows)('%s', (_, sharing, ground, client, lane) => {
    const definition = { sharing, transport: stdio };
    expect(planLane({ definition, era: 'legacy', asks: false, sole: false, ...ground }, client)).toBe(lane);
  });

  it.each(['perSession', 'perCall', undefined] as const)(
    'a modern server over HTTP keeps nothing between requests and is always shared (%s)',
    (sharing) => {
      const definition = { sharing, transport: http };
      expect(planLane({ definition, era: 'modern', asks: true, sole: false }, lasting)).toBe('main');
    },
  );
});
