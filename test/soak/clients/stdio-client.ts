/** The one client on the pipes of the Workbench, of the handshake era. */
import type { Readable, Writable } from 'node:stream';
import type { Json } from './answer.ts';
import { capabilities, clientInfo, type SoakClient, type Strays } from './client.ts';
import { createConversation } from './conversation.ts';

export async function createStdioClient(
  { stdin, stdout }: { readonly stdin: Writable; readonly stdout: Readable },
  strays: Strays,
): Promise<SoakClient> {
  const conversation = createConversation(strays);
  const tell = (message: Json) => void stdin.write(`${JSON.stringify(message)}\n`);
  readLines(stdout, (line) => {
    try {
      conversation.take(JSON.parse(line) as Json, undefined, tell);
    } catch {
      strays.stray(`no message on stdout: ${line.slice(0, 200)}`);
    }
  });
  const client: SoakClient = {
    era: 'legacy',
    get open() {
      return conversation.open;
    },
    ask(asking) {
      const { id, message, answer } = conversation.begin(asking);
      tell(message);
      return {
        answer,
        cancel() {
          tell({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id, reason: 'soak' } });
          // On a pipe nothing says that it is over.
          conversation.end(id, { kind: 'none' });
        },
      };
    },
    async renew() {},
    async close() {},
  };
  const params = { protocolVersion: '2025-11-25', capabilities, clientInfo };
  await client.ask({ method: 'initialize', params }).answer;
  tell({ jsonrpc: '2.0', method: 'notifications/initialized' });
  return client;
}

function readLines(stream: Readable, onLine: (line: string) => void): void {
  let held: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => {
    let start = 0;
    for (let at = chunk.indexOf(0x0a); at >= 0; at = chunk.indexOf(0x0a, start)) {
      onLine(Buffer.concat([...held, chunk.subarray(start, at)]).toString('utf8'));
      held = [];
      start = at + 1;
    }
    held.push(chunk.subarray(start));
  });
}
