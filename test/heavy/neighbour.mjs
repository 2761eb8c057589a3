/**
 * A client that calls a tool again and again, until its stdin ends; then it prints how long the slowest call took, and how long it
 * was itself kept waiting by the machine meanwhile. A process of its own, so that it waits for nobody but the Workbench.
 *
 * http URL TOKEN TOOL, or pipe TOOL COMMAND ARGS…
 */
import { spawn } from 'node:child_process';
import { Agent, request } from 'node:http';
import { createInterface } from 'node:readline';

const [kind, ...rest] = process.argv.slice(2);
const call = kind === 'http' ? openHttp(...rest) : openPipe(...rest);
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

let over = false;
process.stdin.on('end', () => {
  over = true;
});
process.stdin.resume();
const seen = { calls: 0, worstMs: 0, stalledMs: 0, failed: 0 };
let beat = performance.now();
setInterval(() => {
  const now = performance.now();
  seen.stalledMs = Math.max(seen.stalledMs, now - beat - 5);
  beat = now;
}, 5).unref();
await call();
seen.stalledMs = 0;
process.stdout.write('ready\n');
while (!over) {
  const begun = performance.now();
  if (!(await call())) seen.failed++;
  seen.calls++;
  seen.worstMs = Math.max(seen.worstMs, performance.now() - begun);
  await pause(5);
}
process.stdout.write(`${JSON.stringify(seen)}\n`, () => process.exit(0));

function openHttp(url, token, tool) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const version = '2026-07-28';
  const meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const params = { _meta: meta, name: tool, arguments: { a: 1 } };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': version,
    'mcp-method': 'tools/call',
    'mcp-name': tool,
  };
  return () =>
    new Promise((resolve, reject) => {
      const sent = request(url, { method: 'POST', agent, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk) => {
          text += chunk;
        });
        response.on('end', () => resolve(response.statusCode === 200 && text.includes('"result"')));
      });
      sent.on('error', reject);
      sent.end(body);
    });
}

function openPipe(tool, command, ...args) {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  const waiting = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line);
    if (message.id !== undefined) waiting.shift()?.(message.result !== undefined);
  });
  const ask = (method, params) => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })}\n`);
    return new Promise((resolve) => waiting.push(resolve));
  };
  const clientInfo = { name: 'neighbour', version: '1' };
  const met = ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  return async () => {
    await met;
    return ask('tools/call', { name: tool, arguments: { a: 1 } });
  };
}
