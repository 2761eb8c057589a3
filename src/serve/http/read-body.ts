/** The body of a request, once, as text, counted while it comes. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { textOfParts } from '../../base/long-text.ts';
import { type Refusal, toRefusal } from './refusal.ts';

export type Body = { readonly text: string } | { readonly refusal: Refusal };

/** Never rejects; a client that leaves in the middle is refused, which nobody will read. */
export function readBody(request: IncomingMessage, response: ServerResponse, maxBytes: number): Promise<Body> {
  const tooLarge = () =>
    toRefusal(413, `The body is over the limit of ${maxBytes} bytes. Ask for less at once.`, { connection: 'close' });
  if (request.headers.expect !== undefined) {
    // The client waits to hear whether it should send at all.
    if (Number(request.headers['content-length']) > maxBytes) return Promise.resolve({ refusal: tooLarge() });
    response.writeContinue();
  }
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= maxBytes) chunks.push(chunk);
      else {
        chunks.length = 0;
        // Most clients read the answer only when they have sent everything, so a little more is taken and thrown away.
        if (bytes > 2 * maxBytes) resolve({ refusal: tooLarge() });
      }
    });
    request.on('end', () => resolve(bytes > maxBytes ? { refusal: tooLarge() } : { text: textOfParts(chunks, bytes) }));
    const gone = () => resolve({ refusal: toRefusal(400, 'The body did not arrive.') });
    request.on('error', gone);
    request.on('close', gone);
  });
}
