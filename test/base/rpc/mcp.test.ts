import { describe, expect, it } from 'vitest';
import { extensionKeys, isHopKey, isReservedKey, metaKeys, methodFacts } from '../../../src/base/rpc/mcp.ts';

describe('the table of MCP methods', () => {
  it.each([
    ['tools/call', 'name', true, undefined, 'content'],
    ['prompts/get', 'name', true, true, 'messages'],
    ['resources/read', 'uri', true, true, 'contents'],
    ['completion/complete', undefined, undefined, true, undefined],
    ['tasks/get', 'taskId', undefined, undefined, undefined],
    ['tasks/update', 'taskId', undefined, undefined, undefined],
    ['tasks/cancel', 'taskId', undefined, undefined, undefined],
    ['tools/list', undefined, undefined, undefined, undefined],
    ['constructor', undefined, undefined, undefined, undefined],
  ])('%s is named by %s, may ask: %s, only reads: %s, carries URIs in %s', (method, key, mayAsk, readOnly, urisIn) => {
    const facts = methodFacts(method);
    expect([facts.named?.key, facts.mayAsk, facts.readOnly, facts.urisIn]).toEqual([key, mayAsk, readOnly, urisIn]);
  });

  it('knows the keys that end with a hop', () => {
    for (const key of [...Object.values(metaKeys), ...Object.values(extensionKeys)])
      expect(isReservedKey(key)).toBe(true);
    expect(isHopKey('progressToken')).toBe(true);
    expect(isReservedKey('progressToken')).toBe(false);
    expect(isHopKey('dev.example/key')).toBe(false);
  });
});
