import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { atEnd } from '../../support/at-end.ts';
import { eventually } from '../../support/eventually.ts';
import {
  createFakeFront,
  createGate,
  initialize,
  messagesOf,
  modern,
  open,
  rpc,
  send,
  startService,
} from './support.ts';

describe('the end of the HTTP service', () => {
  it('lets open calls of both eras finish, takes nothing new, and then nobody listens', async () => {
    const gate = createGate();
    const front = createFakeFront({ call: gate.call });
    const service = await startService(front, { limits: { drainMs: 20_000 } });
    const headers = await initialize(service);
    const calls = [
      send(service, modern('tools/call', { name: 'echo' })),
      send(service, { headers, body: rpc('tools/call', { name: 'echo' }, 2) }),
    ];
    const general = await open(service, { method: 'GET', headers: { ...headers, accept: 'text/event-stream' } });
    await eventually(() => front.calls.length === 2);
    const closed = service.close();
    expect(messagesOf(await general.whole)).toEqual([]);
    await expect(send(service, modern('tools/list'))).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    gate.open();
    expect((await Promise.all(calls)).map(({ status, json }) => [status, json.id])).toEqual([
      [200, 1],
      [200, 2],
    ]);
    await closed;
    expect(front.connected).toBe(0);
  });

  it('cancels what does not finish in time', async () => {
    const front = createFakeFront({ call: () => new Promise(() => {}) });
    const service = await startService(front, { limits: { drainMs: 50 } });
    const headers = await initialize(service);
    const lost = [
      send(service, modern('tools/call', { name: 'echo' })),
      send(service, { headers, body: rpc('tools/call', { name: 'echo' }) }),
    ].map((call) => call.catch(() => undefined));
    await eventually(() => front.calls.length === 2);
    await service.close();
    expect(front.calls.every(({ signal }) => signal.aborted)).toBe(true);
    await Promise.all(lost);
  });

  it('comes once, however often it is asked for', async () => {
    const service = await startService();
    expect(service.close()).toBe(service.close());
    await service.close();
  });
});

describe('the port of the HTTP service', () => {
  async function occupy(port = 0): Promise<number> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    atEnd(() => void server.close());
    return (server.address() as { port: number }).port;
  }

  it('is the next free one when the wanted one is taken', async () => {
    const port = await occupy();
    const service = await startService(createFakeFront(), { port, portFixed: false });
    expect(service.port).toBeGreaterThan(port);
    expect(service.url).toBe(`http://127.0.0.1:${service.port}/mcp`);
    expect((await send(service, modern('tools/list'))).status).toBe(200);
  });

  it('is the wanted one or none when the user named it', async () => {
    const port = await occupy();
    const failure = startService(createFakeFront(), { port, portFixed: true });
    await expect(failure).rejects.toMatchObject({ code: 'WB1301', message: expect.stringContaining(String(port)) });
  });

  it('is not looked for on an address that this machine does not have', async () => {
    const failure = startService(createFakeFront(), { host: '192.0.2.1', port: 0 });
    await expect(failure).rejects.toMatchObject({ code: 'WB1313' });
  });

  it('stands in a URL that can be used, also with IPv6', async () => {
    const service = await startService(createFakeFront(), { host: '::1' }).catch(() => undefined);
    if (service !== undefined) expect(service.url).toBe(`http://[::1]:${service.port}/mcp`);
  });
});
