import { createServer, connect as open, type Socket } from 'node:net';
import { PassThrough, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { openClientInput } from '../../src/daemon/client-input.ts';
import { endMark } from '../../src/daemon/handshake-messages.ts';
import { relay } from '../../src/daemon/relay.ts';
import { atEnd } from '../support/at-end.ts';
import { eventually } from '../support/eventually.ts';
import { tempDir } from '../support/processes.ts';

/** Both ends of one connection. */
async function connection(): Promise<{ shim: Socket; daemon: Socket }> {
  const path = process.platform === 'win32' ? `\\\\.\\pipe\\relay-${process.pid}-${Math.random()}` : `${tempDir()}/s`;
  const server = createServer({ allowHalfOpen: true });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve));
  const shim = open({ path, allowHalfOpen: true });
  const daemon = await accepted;
  for (const socket of [shim, daemon]) {
    socket.on('error', () => {});
    atEnd(() => socket.destroy());
  }
  atEnd(() => server.close());
  return { shim, daemon };
}

async function start({ goesOn = false, output = new PassThrough() as Writable } = {}) {
  const { shim, daemon } = await connection();
  const input = new PassThrough();
  const stopper = new AbortController();
  const end = relay({ socket: shim, input, output, goesOn, signal: stopper.signal });
  return { daemon, shim, input, output: output as PassThrough, stopper, end };
}

const seen = (stream: PassThrough) => String(stream.read() ?? '');

describe('a relay', () => {
  it('passes whole lines only, and drops the half one of a daemon that dies', async () => {
    const { daemon, shim, output, end } = await start();
    daemon.write('{"a":1}\n{"b"');
    await eventually(() => output.readableLength > 0);
    expect(seen(output)).toBe('{"a":1}\n');
    daemon.write(':2}\n{"c":');
    await eventually(() => output.readableLength > 0);
    expect(seen(output)).toBe('{"b":2}\n');
    // A piece without any end of a line.
    daemon.write('"half');
    await eventually(() => shim.bytesRead === 26);
    daemon.destroy();
    expect(await end).toBe('lost');
    expect(seen(output)).toBe('');
  });

  it('tells an end in order from a loss', async () => {
    const { daemon, output, end } = await start();
    daemon.end(`{"a":1}\n${endMark}`);
    expect(await end).toBe('stopped');
    expect(seen(output)).toBe('{"a":1}\n');
  });

  it.each([false, true])('gives the client what is due after its end (the connection goes on: %s)', async (goesOn) => {
    const { daemon, input, output, end } = await start({ goesOn });
    const onAbandoned = () => expect.unreachable();
    const said = text(openClientInput(daemon, { goesOn, onAbandoned }));
    input.end('{"ask":1}\n{"last":');
    expect(await said).toBe('{"ask":1}\n{"last":');
    daemon.end(`{"answer":1}\n${endMark}`);
    expect(await end).toBe('answered');
    expect(seen(output)).toBe('{"answer":1}\n');
  });

  it('that is aborted looks to the daemon like a client that is gone, not like one that waits', async () => {
    const { daemon, input, stopper, end } = await start();
    const abandoned = new Promise<void>((resolve) => {
      openClientInput(daemon, { goesOn: false, onAbandoned: resolve }).resume();
    });
    input.write('{"ask":1}\n');
    stopper.abort('SIGTERM');
    expect(await end).toBe('aborted');
    await abandoned;
  });

  it('passes a mark in the middle of what a client says as it is', async () => {
    const { daemon, input } = await start();
    const said = text(openClientInput(daemon, { goesOn: false, onAbandoned: () => expect.unreachable() }));
    input.write(`odd${endMark}`);
    await eventually(() => daemon.bytesRead === 4);
    input.end(`${endMark}more\n`);
    expect(await said).toBe(`odd${endMark}${endMark}more\n`);
  });

  it('takes no more from the daemon than its client takes', async () => {
    let take = () => {};
    const slow = new Writable({
      highWaterMark: 1,
      write(_chunk, _encoding, done) {
        take = done;
      },
    });
    const { daemon } = await start({ output: slow });
    const line = `${'x'.repeat(1023)}\n`;
    for (let at = 0; at < 8_192; at++) daemon.write(line);
    await eventually(() => slow.writableLength > 0);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(slow.writableLength).toBeLessThan(1024 * 1024);
    expect(daemon.writableLength).toBeGreaterThan(1024 * 1024);
    take();
  });
});
