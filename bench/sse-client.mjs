/** A client of the HTTP transport of 2024-11-05: requests are posted, all answers come on one stream of events. */
import { Agent, get, request as open } from 'node:http';
import { readLines } from './programs/lines.mjs';

export async function createSseClient(url) {
  const agent = new Agent({ keepAlive: true });
  const waiting = new Map();
  const fail = (error) => {
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  const { stream, endpoint } = await openStream(url, (message) => {
    const { id, error, result } = JSON.parse(message);
    const pending = waiting.get(id);
    if (pending === undefined) return;
    waiting.delete(id);
    if (error !== undefined || result.isError === true) pending.reject(new Error(`not a result: ${message}`));
    else pending.resolve(Buffer.from(message));
  });
  stream.on('close', () => fail(new Error('the stream ended')));
  let last = 0;

  const post = (body) =>
    new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
      const request = open(endpoint, { method: 'POST', agent, headers }, (response) => {
        response.resume();
        if (response.statusCode >= 300) reject(new Error(`HTTP ${response.statusCode}`));
        else response.on('end', resolve);
      });
      request.on('error', reject);
      request.end(body);
    });
  return {
    request: (method, params) =>
      new Promise((resolve, reject) => {
        const id = ++last;
        waiting.set(id, { resolve, reject });
        post(`{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`).catch((error) => {
          waiting.delete(id);
          reject(error);
        });
      }),
    notify: (method) => post(`{"jsonrpc":"2.0","method":"${method}"}`),
    async close() {
      stream.destroy();
      agent.destroy();
    },
  };
}

/** The first event says where to post. */
function openStream(url, onMessage) {
  return new Promise((resolve, reject) => {
    const request = get(url, { headers: { accept: 'text/event-stream' } }, (stream) => {
      if (stream.statusCode !== 200) {
        stream.resume();
        reject(new Error(`HTTP ${stream.statusCode}`));
        return;
      }
      let event = '';
      readLines(stream, (line) => {
        const text = line.toString('utf8');
        if (text.startsWith('event: ')) event = text.slice(7).trim();
        else if (!text.startsWith('data: ')) return;
        else if (event === 'endpoint') resolve({ stream, endpoint: new URL(text.slice(6).trim(), url) });
        else onMessage(text.slice(6));
      });
      stream.on('error', reject);
    });
    request.on('error', reject);
  });
}
