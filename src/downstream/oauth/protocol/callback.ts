/**
 * The end of a sign-in in the browser: a listener on this machine only, for one answer. A request that does not belong to
 * the sign-in is refused and changes nothing, so that no other page can end it.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WorkbenchError } from '../../../base/errors/errors.ts';

export interface Callback {
  readonly redirectUri: string;
  /** Resolves with the first answer that `accept` takes. */
  answer(accept: (answer: URLSearchParams) => boolean): Promise<URLSearchParams>;
  /** To be called once the answer has come, or when the sign-in is given up. */
  close(): void;
}

const path = '/callback';

/** Listens on `port` when it is given, else on `preferred` when that is free, else on any free port. */
export async function openCallback(options: {
  port?: number | undefined;
  preferred?: number | undefined;
}): Promise<Callback> {
  const { port, preferred } = options;
  if (port !== undefined) return listen(port);
  if (preferred === undefined) return listen(0);
  return listen(preferred).catch(() => listen(0));
}

async function listen(port: number): Promise<Callback> {
  let accept: (answer: URLSearchParams) => boolean = () => false;
  let take: (answer: URLSearchParams) => void = () => {};
  let taken = false;
  const server = createServer({ requestTimeout: 10_000, maxHeaderSize: 16_384 }, (request, response) => {
    const answer = taken
      ? undefined
      : findAnswer(request, `127.0.0.1:${(server.address() as AddressInfo | null)?.port}`);
    if (answer === undefined || !accept(answer))
      return respond(response, 404, 'This is not a sign-in that is under way.');
    taken = true;
    respond(response, 200, 'You can close this page and go back to the terminal.');
    take(answer);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => reject(toFailure(cause, port)));
    server.listen(port, '127.0.0.1', resolve);
  });
  const redirectUri = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
  return {
    redirectUri,
    answer: (accepted) =>
      new Promise((resolve) => {
        accept = accepted;
        take = resolve;
      }),
    close() {
      server.close();
      server.closeIdleConnections();
    },
  };
}

function findAnswer({ method, url, headers }: IncomingMessage, host: string): URLSearchParams | undefined {
  const base = `http://${host}`;
  if (method !== 'GET' || headers.host !== host || url === undefined || !URL.canParse(url, base)) return undefined;
  const { pathname, searchParams } = new URL(url, base);
  return pathname === path ? searchParams : undefined;
}

/** A page without anything from outside in it. */
function respond(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    connection: 'close',
  });
  response.end(`<!doctype html><meta charset="utf-8"><title>MCP Workbench</title><p>${text}</p>\n`);
}

function toFailure({ code }: NodeJS.ErrnoException, port: number): WorkbenchError {
  return new WorkbenchError('WB1209', `Port ${port} cannot be opened for the answer to the sign-in (${code}).`);
}
