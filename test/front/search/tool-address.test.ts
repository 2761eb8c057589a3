import { expect, it } from 'vitest';
import { parseAddressText, toAddressText } from '../../../src/front/search/tool-address.ts';

it.each([
  [{ toolbox: 'slack', server: 'slack', name: 'post' }, 'slack.post'],
  [{ toolbox: 'dev', server: 'git', name: 'commit' }, 'dev/git.commit'],
  [{ toolbox: 'a', server: 'a', name: 'v1.users.list' }, 'a.v1.users.list'],
  [{ toolbox: 'a', server: 'b', name: 'repos/get' }, 'a/b.repos/get'],
  [{ toolbox: 'a', server: 'b', name: 'two words' }, 'a/b."two words"'],
  [{ toolbox: 'a', server: 'a', name: '"x"' }, 'a."\\"x\\""'],
  [{ toolbox: 'a', server: 'a', name: 'add(' }, 'a."add("'],
  [{ toolbox: 'a', server: 'a', name: 'größe' }, 'a.größe'],
])('the address %j is written %s, and read back', (address, text) => {
  expect(toAddressText(address)).toBe(text);
  expect(parseAddressText(text)).toEqual(address);
});

it.each(['', 'slack', '.post', 'slack.', 'a/b/c.d', '/b.c', 'a/.c', 'a."', 'a."x" y', 'a.""'])(
  '%j does not state an address',
  (text) => {
    expect(parseAddressText(text)).toBeUndefined();
  },
);
