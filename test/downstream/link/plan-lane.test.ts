import { describe, expect, it } from 'vitest';
import type { Client, ClientSession } from '../../../src/base/call/call.ts';
import { allRelayable } from '../../../src/base/call/capabilities.ts';
import { type Lane, type LaneFacts, planLane } from '../../../src/downstream/link/plan-lane.ts';

const session: ClientSession = {
  capabilities: {},
  ask: async () => ({ result: {} }),
  tell() {},
  onRootsChanged: () => () => {},
  onClose: () => () => {},
};
const lasting: Client = { name: 'lasting', principal: '', session };
const rich: Client = { ...lasting, session: { ...session, capabilities: { roots: {} } } };
const passing: Client = { name: 'passing', principal: '', capabilities: allRelayable };
const poor: Client = { ...passing, capabilities: { sampling: {}, roots: {} } };
const stdio = { kind: 'stdio', command: 'x', args: [], env: {}, cwd: '/' } as const;
const http = { kind: 'http', url: 'http://x', headers: {}, variant: 'auto' } as const;

type Row = [string, LaneFacts['definition']['sharing'], Partial<LaneFacts>, Client, Lane];
const rows: Row[] = [
  ['a local server is one process for clients with sessions', undefined, {}, lasting, 'main'],
  ['and for those without', undefined, {}, passing, 'main'],
  ['until it has shown that each needs its own', undefined, { apart: true }, lasting, 'own'],
  ['also those without sessions', undefined, { apart: true }, passing, 'own'],
  ['but who came first keeps what it has', undefined, { apart: true, tenant: lasting }, lasting, 'main'],
  ['which nobody else does', undefined, { apart: true, tenant: lasting }, passing, 'own'],
  ['the same for a server of the stateless era', undefined, { apart: true, isSession: false }, lasting, 'own'],
  ['who can do less than the server was told shares it', undefined, {}, poor, 'main'],
  ['who can do more is served by one that knows', undefined, { told: {} }, passing, 'own'],
  ['also on a pipe', undefined, { sole: true, told: {} }, passing, 'own'],
  ['who can do more is served by one that knows, with a session', undefined, { told: {} }, rich, 'own'],
  ['who can do less shares it all the same, with a session', undefined, {}, lasting, 'main'],
  [
    'a server of the stateless era is told so with each request',
    undefined,
    { isSession: false, told: {} },
    poor,
    'main',
  ],
  ['a sole client has the shared one to itself', undefined, { apart: true, sole: true }, lasting, 'main'],
  ['also without a session', undefined, { apart: true, sole: true }, passing, 'main'],
  ['what is stated counts: shared', 'shared', { apart: true }, lasting, 'main'],
  ['shared, whatever a client can do', 'shared', { told: {} }, passing, 'main'],
  ['what is stated counts: perSession', 'perSession', {}, lasting, 'own'],
  ['perSession for a client without a session', 'perSession', {}, passing, 'own'],
  ['perSession for a modern server too', 'perSession', { isSession: false }, lasting, 'own'],
  ['perSession of a sole client is the shared one', 'perSession', { sole: true }, lasting, 'main'],
  ['perCall, even for a sole client', 'perCall', { sole: true }, lasting, 'call'],
];

describe('who uses a running server together', () => {
  const ground: Omit<LaneFacts, 'definition'> = {
    isSession: true,
    told: allRelayable,
    apart: false,
    tenant: undefined,
    sole: false,
  };

  it.each(rows)('%s', (_, sharing, given, client, lane) => {
    const definition = { sharing, transport: stdio };
    expect(planLane({ definition, ...ground, ...given }, client)).toBe(lane);
  });

  it.each<[LaneFacts['definition']['sharing'], boolean, Lane]>([
    [undefined, false, 'own'],
    [undefined, true, 'main'],
    ['shared', false, 'main'],
    ['perSession', false, 'own'],
    ['perCall', false, 'call'],
  ])('an old server that is reached by URL has a session for each client (%s, sole: %s)', (sharing, sole, lane) => {
    const definition = { sharing, transport: http };
    for (const client of [lasting, passing]) expect(planLane({ definition, ...ground, sole }, client)).toBe(lane);
  });

  it.each(['perSession', 'perCall', undefined] as const)(
    'a modern server over HTTP keeps nothing between requests and is always shared (%s)',
    (sharing) => {
      const definition = { sharing, transport: http };
      expect(planLane({ definition, ...ground, isSession: false, apart: true }, lasting)).toBe('main');
    },
  );
});
