import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { digestParams } from '../../../src/serve/modern/params-digest.ts';
import { createStateSeal, escapeState, isOurState, unescapeState } from '../../../src/serve/modern/request-state.ts';

const ticket = { call: 'abc', round: 1, expiresAt: 1_000 };
const reader = { principal: 'ann', now: 999 };
const unpack = (state: string): JsonObject =>
  JSON.parse(Buffer.from(state.split('.')[1] ?? '', 'base64url').toString()) as JsonObject;
const repack = (state: string, change: JsonObject): string => {
  const payload = Buffer.from(JSON.stringify({ ...unpack(state), ...change })).toString('base64url');
  return `wb1.${payload}.${state.split('.')[2]}`;
};

describe('the state of a question', () => {
  it('the state of a question says which call it belongs to, to the one it was given to, until it expires', () => {
    const { seal, open } = createStateSeal();
    const state = seal(ticket, 'ann');
    expect(state).toMatch(/^wb1\.[\w-]+\.[\w-]{43}$/);
    expect(open(state, reader)).toMatchObject(ticket);
    expect(open(state, { ...reader, now: 1_000 })).toBe('expired');
    expect(open(state, { ...reader, principal: 'bob' })).toBe('invalid');
  });

  it.each([
    [{ call: 'abd' }, 'invalid'],
    [{ round: 2 }, 'invalid'],
    [{ expiresAt: 9_999 }, 'invalid'],
    [{ more: true }, 'invalid'],
    [{ instance: 7 }, 'invalid'],
    [{ instance: 'other' }, 'restarted'],
  ])('the state of a question counts no more when it was changed: %j', (change, fault) => {
    const { seal, open } = createStateSeal();
    expect(open(repack(seal(ticket, 'ann'), change as JsonObject), reader)).toBe(fault);
  });

  it('the state of a question counts no more when a single character of its seal was changed', () => {
    const { seal, open } = createStateSeal();
    const state = seal(ticket, 'ann');
    for (let index = state.length - 43; index < state.length; index++) {
      const other = state[index] === 'A' ? 'B' : 'A';
      expect(open(`${state.slice(0, index)}${other}${state.slice(index + 1)}`, reader)).toBe('invalid');
    }
  });

  it.each(['wb1.', 'wb1..', 'wb1.e30.', 'wb1.!!.!!', `wb1.e30.${'A'.repeat(43)}`, `wb1.bnVsbA.${'A'.repeat(43)}`, 'x'])(
    'the state of a question is not %s',
    (state) => expect(createStateSeal().open(state, reader)).toBe('invalid'),
  );

  it('the state of a question of another process is told from one that was changed', () => {
    expect(createStateSeal().open(createStateSeal().seal(ticket, 'ann'), reader)).toBe('restarted');
  });
});

describe('the state of a server', () => {
  it.each([
    ['', ''],
    ['abc', 'abc'],
    ['wb2.x', 'wb2.x'],
    ['wb1.x', 'wb0.wb1.x'],
    ['wb0.x', 'wb0.wb0.x'],
    ['wb0.wb1.x', 'wb0.wb0.wb1.x'],
  ])('%j travels as %j, is not ours, and comes back as it was', (state, carried) => {
    expect(escapeState(state)).toBe(carried);
    expect(isOurState(carried)).toBe(false);
    expect(unescapeState(carried)).toBe(state);
  });
});

describe('the digest of params', () => {
  const params = { name: 'a', arguments: { x: [1, { y: null, z: 'q' }], b: true } };

  it('the digest of params is the same in whatever order members stand, and with whatever belongs to a round', () => {
    const turned = {
      requestState: 's',
      inputResponses: {},
      _meta: { progressToken: 1 },
      arguments: { b: true, x: [1, { z: 'q', y: null }] },
      name: 'a',
    };
    expect(digestParams(turned)).toBe(digestParams(params));
  });

  it.each([
    [{ ...params, name: 'b' }],
    [{ ...params, more: 1 }],
    [{ name: 'a' }],
    [{ ...params, arguments: { x: params.arguments.x, c: true } }],
    [{ ...params, arguments: { ...params.arguments, b: 'true' } }],
    [{ ...params, arguments: { x: [{ y: null, z: 'q' }, 1], b: true } }],
    [{ ...params, arguments: { x: [1, [{ y: null, z: 'q' }]], b: true } }],
    [{ ...params, arguments: { x: [1, { y: null, z: 'q' }, null], b: true } }],
    [JSON.parse('{"name":"a","arguments":{"__proto__":1,"x":[1,{"y":null,"z":"q"}],"b":true}}') as JsonObject],
  ])('the digest of params is another for %j', (other) => {
    expect(digestParams(other as JsonObject)).not.toBe(digestParams(params));
  });

  it('the digest of params tells where a list ends', () => {
    expect(digestParams({ a: [[1], 2] })).not.toBe(digestParams({ a: [1, [], 2] }));
  });

  it('the digest of params can be had however deep they are nested', () => {
    let deep: JsonObject = {};
    for (let depth = 0; depth < 200_000; depth++) deep = { deep };
    expect(digestParams(deep)).toEqual(expect.any(String));
  });
});
