/** A strict OpenAI-compatible service: what a real one would refuse is an error here, too. Vectors are words counted into places. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { atEnd } from '../../support/at-end.ts';

export interface Received {
  readonly texts: readonly string[];
  readonly authorization: string | undefined;
}

export type Reply = (response: ServerResponse, texts: readonly string[]) => void;

export interface EmbeddingsServer {
  readonly url: string;
  readonly received: Received[];
  /** What was wrong with requests. */
  readonly faults: string[];
  /** Replaces the answers from now on; undefined for right ones. */
  reply: Reply | undefined;
  close(): Promise<void>;
}

export async function startEmbeddingsServer(): Promise<EmbeddingsServer> {
  const http = createServer((request, response) => void take(request, response));
  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done));
  const close = () =>
    new Promise<void>((done) => {
      http.closeAllConnections();
      http.close(() => done());
    });
  const server: EmbeddingsServer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/v1`,
    received: [],
    faults: [],
    reply: undefined,
    close,
  };
  atEnd(close);
  return server;

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method, url, headers } = request;
    const fault = (text: string) => {
      server.faults.push(text);
      response.writeHead(400).end();
    };
    if (method !== 'POST') return fault(`method ${method}`);
    if (url !== '/v1/embeddings') return fault(`path ${url}`);
    if (headers['content-type'] !== 'application/json') return fault(`content-type ${headers['content-type']}`);
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
    if (Object.keys(body).sort().join() !== 'input,model') return fault(`members ${Object.keys(body)}`);
    if (body.model !== 'test-model') return fault(`model ${String(body.model)}`);
    const texts = body.input as string[];
    if (!Array.isArray(texts) || texts.length === 0 || texts.some((text) => typeof text !== 'string' || text === ''))
      return fault('input');
    server.received.push({ texts, authorization: headers.authorization });
    (server.reply ?? answer)(response, texts);
  }
}

/** The right answer, with its entries in another order. */
export function answer(response: ServerResponse, texts: readonly string[]): void {
  const data = texts.map((text, index) => ({ object: 'embedding', index, embedding: embedText(text) }));
  sendJson(response, { object: 'list', data: data.reverse(), model: 'test-model' });
}

export function sendJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

/** Words that mean the same share a place. */
const meanings = [
  'car glimmock automobile',
  'buy purchase shop',
  'weather forecast rain',
  'send mail letter',
  'echo zindle',
];

export function embedText(text: string): number[] {
  const words = text.toLowerCase().match(/[a-z]+/g) ?? [];
  return [0.1, ...meanings.map((line) => words.filter((word) => line.split(' ').includes(word)).length)];
}
