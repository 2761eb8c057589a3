import { describe, expect, it, onTestFinished } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { type Principal, serveHttp } from '../../../src/index.ts';
import { withEnvelope } from '../../support/envelope.ts';
import { openBench, toolServer } from './bench-client.ts';

type List = (principal: Principal, query?: string) => Promise<string[]>;

/** A service that believes each request who it comes from. */
async function serve(options: { client?: string } = {}): Promise<List> {
  const clients = { cursor: { names: ['0oa7-registered'] }, robot: { names: ['robot'], mode: 'meta' } };
  const box = (count: number) => ({ description: 'Box', mcpServers: { [`s${count}`]: toolServer(count) } });
  const workbench = openBench({ mode: 'auto', clients, toolboxes: { many: box(60), other: box(2) } });
  let principal: Principal = { id: 'ann' };
  const authenticator = { authenticate: () => ({ principal }) };
  const service = await serveHttp({ workbench, authenticator, port: 0, ...options });
  onTestFinished(() => service.close());
  return async (asking, query = '') => {
    principal = asking;
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/list',
    };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: withEnvelope({}) });
    const answer = await fetch(`${service.url}${query}`, { method: 'POST', headers, body });
    const { result } = (await answer.json()) as { result: { tools: JsonObject[] } };
    return result.tools.map(({ name }) => String(name));
  };
}

describe('the client that a credential was issued to', () => {
  it('decides what a stateless client is shown, where the Workbench knows it', async () => {
    const list = await serve();
    expect(await list({ id: 'ann', client: '0oa7-registered' })).toContain('s60__echo');
    expect(await list({ id: 'ann', client: 'cursor' })).toContain('s60__echo');
    expect(await list({ id: 'ann', client: 'robot' })).toEqual(['open_toolbox', 'use_tool', 'read_result']);
    expect(await list({ id: 'ann', client: 'unheard-of' })).toContain('search_tools');
    expect(await list({ id: 'ann' })).toContain('search_tools');
  });

  it('gives way to the address, and wins over what the service was started with', async () => {
    const list = await serve({ client: 'robot' });
    expect(await list({ id: 'ann', client: 'cursor' })).toContain('s60__echo');
    expect(await list({ id: 'ann', client: 'cursor' }, '?client=zed')).toContain('search_tools');
    expect(await list({ id: 'ann' })).toEqual(['open_toolbox', 'use_tool', 'read_result']);
  });

  it('never shows a toolbox that the credential is not good for', async () => {
    const list = await serve();
    for (const client of ['cursor', 'zed', 'robot', 'unheard-of'])
      for (const query of ['', '?client=cursor', '?client=claude-code']) {
        const names = await list({ id: 'ann', client, toolboxes: new Set(['other']) }, query);
        expect(names.filter((name) => name.startsWith('s60'))).toEqual([]);
      }
  });
});
