import { describe, expect, it } from 'vitest';
import { coversServer, toResource } from '../../../../src/downstream/oauth/protocol/resource.ts';

describe('metadata', () => {
  it.each([
    ['https://server.example/mcp', true],
    ['https://server.example/mcp/', true],
    ['https://server.example', true],
    ['https://SERVER.example/mcp', true],
    ['https://server.example/mc', false],
    ['https://server.example/mcp/x', false],
    ['https://server.example:8443/mcp', false],
    ['http://server.example/mcp', false],
    ['https://server.example.evil.example/mcp', false],
    ['https://user@server.example/mcp', false],
    ['', false],
  ])('about %s speaks for https://server.example/mcp: %s', (resource, expected) => {
    expect(coversServer(resource, 'https://server.example/mcp')).toBe(expected);
  });
});

describe('the name of a resource', () => {
  it.each([
    ['https://Server.example/mcp/', 'https://server.example/mcp'],
    ['https://user:word@server.example/mcp?key=secret#part', 'https://server.example/mcp'],
    ['http://127.0.0.1:3000/', 'http://127.0.0.1:3000'],
  ])('of %s is %s', (url, expected) => {
    expect(toResource(url)).toBe(expected);
  });
});
