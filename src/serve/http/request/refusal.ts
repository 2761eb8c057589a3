/** Answers that say no: a status and a JSON-RPC error that tells what to do, never what was sent. */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { ErrorCode } from '../../../base/errors/errors.ts';
import { bytesOf, chunkedFrom } from '../../../base/json/chunked-text.ts';
import { errorText, type RpcError, type RpcId, rpcCode, rpcError } from '../../../base/rpc/rpc.ts';

export interface HttpRefusal {
  readonly status: number;
  readonly error: RpcError;
  readonly id?: RpcId | null;
  readonly headers?: OutgoingHttpHeaders;
}

/** A refusal for a reason that JSON-RPC has no code of its own for. */
export function toHttpRefusal(
  status: number,
  message: string,
  headers: OutgoingHttpHeaders = {},
  code?: ErrorCode,
): HttpRefusal {
  return { status, error: rpcError(rpcCode.invalidRequest, message, code === undefined ? code : { code }), headers };
}

const retryAfterSeconds = 5;
export const retryLater: OutgoingHttpHeaders = { 'retry-after': String(retryAfterSeconds) };

/** It cannot be done right now. */
export function unavailable(message: string): HttpRefusal {
  return { status: 503, error: rpcError(rpcCode.serverFailed, message), headers: retryLater };
}

/** There is too much of something right now. */
export function busy(message: string): HttpRefusal {
  return unavailable(`busy: ${message}`);
}

export function notAllowed(allowed: readonly string[]): HttpRefusal {
  return toHttpRefusal(405, `Use ${allowed.join(' or ')} here.`, { allow: allowed.join(', ') });
}

export function refuse(response: ServerResponse, { status, error, id = null, headers = {} }: HttpRefusal): void {
  sendJson(response, errorText(id, error), { status, headers });
}

export interface JsonAnswer {
  readonly status?: number;
  readonly headers?: OutgoingHttpHeaders;
  /** How long nothing of it may be taken before its reader is given up. */
  readonly stallMs?: number;
}

export function sendJson(
  response: ServerResponse,
  text: string,
  { status = 200, headers, stallMs }: JsonAnswer = {},
): void {
  if (response.headersSent || response.destroyed) return;
  const long = text.length > chunkedFrom ? bytesOf(text) : undefined;
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': long?.bytes.length ?? Buffer.byteLength(text),
    'cache-control': 'no-store',
    ...headers,
  });
  if (long === undefined) {
    response.end(text);
    return;
  }
  // What is short fits into what the system holds for a reader; of what is long, Node counts the time in which nothing is taken.
  if (stallMs !== undefined) response.setTimeout(stallMs);
  response.end(long.bytes, long.release);
}

/** Taken, and nothing to say about it. */
export function sendEmpty(response: ServerResponse, status: 202 | 204): void {
  if (!response.headersSent) response.writeHead(status, { 'cache-control': 'no-store' });
  response.end();
}
