import { describe, expect, it } from 'vitest';
import { reachesKey, trailKey } from '../../../src/base/call/trail.ts';
import type { Front } from '../../../src/front/front.ts';
import { findReturn, toReaches } from '../../../src/serve/edge/find-return.ts';

const own = '0123456789abcdef';
const front = {
  findLoop: (trail: string[]) => (trail.includes(own) ? 'it is itself' : undefined),
} as unknown as Front;
const ask = (method: string, ids: string[]) =>
  findReturn(front, { kind: 'request', id: 1, method, params: {}, meta: { [trailKey]: ids } });

describe('a client that is this Workbench itself', () => {
  it.each(['initialize', 'server/discover'])('a client that is this Workbench itself is refused at %s', (method) => {
    expect(ask(method, [own])).toMatchObject({ message: 'it is itself', data: { code: 'WB1023' } });
    expect(ask(method, ['fedcba9876543210'])).toBeUndefined();
    expect(ask(method, [])).toBeUndefined();
  });

  it('a client that is this Workbench itself is known by its first request only', () => {
    expect(ask('tools/list', [own])).toBeUndefined();
  });
});

describe('whom a client reaches here', () => {
  const open = { reaches: () => [own] } as unknown as Front;
  it('is told to a Workbench, and to no other client', () => {
    expect(toReaches(open, { name: 'mcp-workbench', version: '1' })).toEqual({ _meta: { [reachesKey]: [own] } });
    expect(toReaches(open, { name: 'editor', version: '1' })).toEqual({});
    expect(toReaches(open, {})).toEqual({});
  });
});
