import { describe, expect, it } from 'vitest';
import { findName } from '../../bench/peers/find-name.mjs';
import { nameOf, reasonOf } from '../../bench/peers/install.mjs';

describe('peers of the bench', () => {
  it.each([
    ['mcp-hub', 'mcp-hub'],
    ['mcp-hub@4.2.1', 'mcp-hub'],
    ['@scope/name', '@scope/name'],
    ['@scope/name@1.0.0', '@scope/name'],
  ])('%s is installed under the name %s', (spec, name) => {
    expect(nameOf(spec)).toBe(name);
  });

  it.each([
    { error: { message: 'x', stderr: 'npm error code E404\nnpm error 404 Not Found' }, reason: 'not in the registry' },
    { error: { message: 'x', killed: true }, reason: 'not installed within 120 s' },
    { error: { message: 'x', stderr: '\nfirst\nsecond' }, reason: 'not installed: first' },
    { error: { message: 'spawn npm ENOENT', stderr: '' }, reason: 'not installed: spawn npm ENOENT' },
  ])('that cannot be installed have a reason: $reason', ({ error, reason }) => {
    expect(reasonOf(error)).toBe(reason);
  });

  it.each([
    { names: ['blob', 'echo'], is: 'echo' },
    { names: ['s1__echo', 's0__blob', 's0__echo'], is: 's0__echo' },
    { names: ['s1_1mcp_echo', 's0_1mcp_echo'], is: 's0_1mcp_echo' },
  ])('offer a tool under a name of theirs, which is found: $is', ({ names, is }) => {
    expect(findName(names, 'echo')).toBe(is);
  });
});
