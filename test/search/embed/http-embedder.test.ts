import { describe, expect, it } from 'vitest';
import { EmbedError } from '../../../src/search/embed/embedder.ts';
import { createHttpEmbedder } from '../../../src/search/embed/http-embedder.ts';
import { type Reply, sendJson, startEmbeddingsServer } from './embeddings-server.ts';

const never = new AbortController().signal;

async function open(options: { apiKey?: string; slash?: string } = {}) {
  const server = await startEmbeddingsServer();
  const { apiKey, slash = '' } = options;
  const embedder = createHttpEmbedder({
    url: `${server.url}${slash}`,
    model: 'test-model',
    ...(apiKey === undefined ? {} : { apiKey }),
  });
  return { server, embedder };
}

async function failureOf(reply: Reply, texts: readonly string[] = ['car', 'rain']): Promise<EmbedError> {
  const { server, embedder } = await open({ apiKey: 'kept-to-ourselves' });
  server.reply = reply;
  const error = await embedder.embed(texts, never).catch((caught: unknown) => caught);
  expect(server.faults).toEqual([]);
  expect(error).toBeInstanceOf(EmbedError);
  expect((error as EmbedError).message).not.toContain('kept-to-ourselves');
  return error as EmbedError;
}

const withVectors =
  (...vectors: unknown[]): Reply =>
  (response) =>
    sendJson(response, { data: vectors.map((embedding, index) => ({ index, embedding })) });

describe('an embedder over HTTP', () => {
  it('asks as the OpenAI API has it, and puts the vectors into the order of the texts, with length 1', async () => {
    const { server, embedder } = await open();
    const [car, rain] = await embedder.embed(['a car', 'rain, rain'], never);
    expect(server.faults).toEqual([]);
    expect(server.received).toEqual([{ texts: ['a car', 'rain, rain'], authorization: undefined }]);
    expect(car?.indexOf(Math.max(...(car ?? [])))).toBe(1);
    expect(rain?.indexOf(Math.max(...(rain ?? [])))).toBe(3);
    expect(Math.hypot(...(rain ?? []))).toBeCloseTo(1);
  });

  it('sends the key to the service, and only there', async () => {
    const { server, embedder } = await open({ apiKey: 'k-123' });
    await embedder.embed(['car'], never);
    expect(server.received[0]?.authorization).toBe('Bearer k-123');
    expect(embedder.id).not.toContain('k-123');
  });

  it.each(['/', '/embeddings', '/embeddings/'])('accepts the address with %s at its end', async (slash) => {
    const { server, embedder } = await open({ slash });
    await embedder.embed(['car'], never);
    expect(server.faults).toEqual([]);
  });

  it('accepts an answer without "index"', async () => {
    const { server, embedder } = await open();
    server.reply = (response) => sendJson(response, { data: [{ embedding: [3, 4] }] });
    const [vector] = await embedder.embed(['car'], never);
    expect([...(vector ?? [])].map((value) => value.toFixed(2))).toEqual(['0.60', '0.80']);
  });

  it.each<[string, Reply, string]>([
    ['one vector for two texts', withVectors([1, 2]), '1 vectors for 2 texts'],
    ['three vectors for two texts', withVectors([1], [2], [3]), '3 vectors for 2 texts'],
    ['vectors of different lengths', withVectors([1, 2], [1]), 'different lengths'],
    ['an empty vector', withVectors([], []), 'not a vector'],
    ['null in a vector, as NaN is written', withVectors([1, null], [1, 2]), 'not numbers'],
    ['text in a vector', withVectors(['1', 2], [1, 2]), 'not numbers'],
    ['a vector of zeros', withVectors([0, 0], [1, 2]), 'without a direction'],
    ['numbers too large to add', withVectors([1e300, 1e300], [1, 2]), 'without a direction'],
    ['a vector as base64', withVectors('AACAPw==', 'AACAPw=='), 'not a vector'],
    ['a vector that is far too long', withVectors(Array(20_000).fill(1), [1]), 'not a vector'],
    ['no list', (response) => sendJson(response, { data: {} }), 'no list "data"'],
    ['something that is not JSON', (response) => response.end('<html>'), 'no list "data"'],
    ['an empty body', (response) => response.end(), 'no list "data"'],
    [
      'one place twice',
      (response) => sendJson(response, { data: [0, 0].map((index) => ({ index, embedding: [1] })) }),
      '"index" is wrong',
    ],
    ['a place outside', (response) => sendJson(response, { data: [{ index: 7, embedding: [1] }] }), '"index" is wrong'],
  ])('refuses %s, for good', async (_title, reply, message) => {
    expect(await failureOf(reply)).toMatchObject({ message: expect.stringContaining(message), mayPass: false });
  });

  it('says when a refusal may pass, and when to ask again', async () => {
    const withStatus =
      (status: number, headers: Record<string, string> = {}): Reply =>
      (response) =>
        response.writeHead(status, headers).end('{"error":{"message":"not for the log"}}');
    expect(await failureOf(withStatus(429, { 'retry-after': '7' }))).toMatchObject({ mayPass: true, afterMs: 7_000 });
    expect(await failureOf(withStatus(429, { 'retry-after': '86400' }))).toMatchObject({ afterMs: 60_000 });
    expect(await failureOf(withStatus(429, { 'retry-after': 'soon' }))).toMatchObject({ afterMs: undefined });
    expect(await failureOf(withStatus(503))).toMatchObject({ mayPass: true, tooMuch: false });
    expect(await failureOf(withStatus(401))).toMatchObject({ mayPass: false, tooMuch: false });
    expect(await failureOf(withStatus(413))).toMatchObject({ mayPass: false, tooMuch: true });
    expect((await failureOf(withStatus(500))).message).not.toContain('not for the log');
  });

  it('does not follow a redirect with the texts', async () => {
    const error = await failureOf((response) => response.writeHead(307, { location: 'https://other.example/' }).end());
    expect(error.message).toContain('redirects');
  });

  it('reads no answer that is too large', async () => {
    const error = await failureOf((response) => {
      response.writeHead(200);
      const send = () => {
        while (!response.destroyed && response.write('0'.repeat(65_536)));
        if (!response.destroyed) response.once('drain', send);
      };
      send();
    });
    expect(error.message).toContain('larger than');
  });

  it('fails when the service dies in the middle of its answer', async () => {
    const error = await failureOf((response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('{"data"');
      response.socket?.destroy();
    });
    expect(error.mayPass).toBe(true);
  });

  it('fails at once when no service listens, or when it is given up', async () => {
    const { server, embedder } = await open();
    server.reply = () => {};
    const limit = new AbortController();
    const asked = embedder.embed(['car'], limit.signal);
    asked.catch(() => {});
    await expect.poll(() => server.received.length).toBe(1);
    limit.abort();
    await expect(asked).rejects.toBeInstanceOf(EmbedError);
    await server.close();
    await expect(embedder.embed(['car'], never)).rejects.toMatchObject({ mayPass: true });
  });

  it('has another id for another model or address', () => {
    const idOf = (url: string, model: string) => createHttpEmbedder({ url, model }).id;
    const ids = [
      idOf('https://a.example/v1', 'x'),
      idOf('https://a.example/v1', 'y'),
      idOf('https://b.example/v1', 'x'),
    ];
    expect(new Set(ids).size).toBe(3);
    expect(idOf('https://a.example/v1/', 'x')).toBe(ids[0]);
  });
});
