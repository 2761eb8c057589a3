/** The body of a request, once, as text, counted while it comes. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BudgetOwner, ByteBudget } from '../../../base/rpc/byte-budget.ts';
import { HeldBytes } from '../../../base/rpc/held-bytes.ts';
import { busy, type HttpRefusal, toHttpRefusal } from './refusal.ts';

export type Body =
  | {
      readonly bytes: number;
      /** To be asked for once: then it is no longer held, and counts no more among what waits. */
      take(): string;
    }
  | { readonly refusal: HttpRefusal };

export interface BodyOptions {
  readonly maxBytes: number;
  /** What all may have sent that is not read yet. */
  readonly budget: ByteBudget;
  readonly owner: BudgetOwner;
}

const close = { connection: 'close' } as const;

/** Never rejects; a client that leaves in the middle is refused, although it does not read that. */
export function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  { maxBytes, budget, owner }: BodyOptions,
): Promise<Body> {
  const tooLarge = () =>
    toHttpRefusal(413, `The body is over the limit of ${maxBytes} bytes. Send less at once.`, close, 'WB1316');
  if (request.headers.expect !== undefined) {
    // The client waits to hear whether it should send at all.
    if (Number(request.headers['content-length']) > maxBytes) return Promise.resolve({ refusal: tooLarge() });
    response.writeContinue();
  }
  return new Promise((resolve) => {
    const body = new HeldBytes();
    let bytes = 0;
    let settled = false;
    const refuse = (refusal: HttpRefusal) => {
      if (settled) return;
      settled = true;
      body.clear();
      part.close();
      resolve({ refusal });
    };
    const part = budget.hold(owner, () => {
      const { headers, ...crowded } = busy('Too many large requests are sent at once. Try again in a moment.');
      refuse({ ...crowded, headers: { ...headers, ...close } });
    });
    request.on('data', (chunk: Buffer) => {
      if (settled) return;
      bytes += chunk.length;
      if (bytes > maxBytes) {
        body.clear();
        part.close();
        // Most clients read the answer only when they have sent everything, so a little more is taken and thrown away.
        if (bytes > 2 * maxBytes) refuse(tooLarge());
        return;
      }
      body.add(chunk);
      part.grow(chunk.length);
    });
    request.on('end', () => {
      if (bytes > maxBytes) return refuse(tooLarge());
      if (settled) return;
      settled = true;
      part.complete();
      const take = () => {
        const text = body.text();
        body.clear();
        part.close();
        return text;
      };
      resolve({ bytes, take });
    });
    const gone = () => refuse(toHttpRefusal(400, 'The body did not arrive.'));
    request.on('error', gone);
    request.on('close', gone);
  });
}
