import { describe, expect, it } from 'vitest';
import { parseGreeting, parseHello } from '../../src/daemon/handshake-messages.ts';

describe('a first line', () => {
  it.each(['', '{}', '[]', 'null', '{"nonce":1}', '{"nonce":"a","proof":"b","want":"toString"}', '{"want":"attach"}'])(
    'that is %j is no hello',
    (line) => {
      expect(parseHello(line)).toBeUndefined();
    },
  );

  it('with more than a hello needs is a hello without it', () => {
    const line =
      '{"nonce":"a","proof":"b","want":"attach","mode":"flat","name":3,"__proto__":{"version":"9"},"other":1}';
    expect(parseHello(line)).toEqual({ nonce: 'a', proof: 'b', want: 'attach', goesOn: false, mode: 'flat' });
  });

  it.each(['{}', '{"pid":"1"}', 'no JSON'])('that is %j is no greeting', (line) => {
    expect(parseGreeting(line)).toBeUndefined();
  });
});
