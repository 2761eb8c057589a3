/** JSON-RPC over stdin and stdout, one message a line: what every server of the demo stands on. */
import process from 'node:process';
import { createInterface } from 'node:readline';

/** An error that is answered as it stands. */
export class RpcError extends Error {
  constructor(code, message, data) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** Answers every request with what `answer(method, params)` returns or throws; ends when the client closes the pipe. */
export function serveLines(answer) {
  const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  createInterface({ input: process.stdin }).on('line', (line) => {
    let message;
    try {
      message = JSON.parse(line);
    } catch {
      send({ id: null, error: { code: -32700, message: 'This line is not JSON.' } });
      return;
    }
    const { id, method, params } = message ?? {};
    if (id === undefined || typeof method !== 'string') return; // a notification, or no request at all
    try {
      send({ id, result: answer(method, params ?? {}) });
    } catch (error) {
      const code = error instanceof RpcError ? error.code : -32603;
      send({ id, error: { code, message: error.message, ...(error.data === undefined ? {} : { data: error.data }) } });
    }
  });
}
