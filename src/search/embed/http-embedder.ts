/** Embeddings of an OpenAI-compatible service: Ollama, LM Studio, a company's own, or a public one. */
import { createHash } from 'node:crypto';
import { findMember, isObject, type Json, parseObject } from '../../base/json/json.ts';
import { createGuardedFetch, type GuardedFetch } from '../../net/guarded-fetch.ts';
import { type Embedder, EmbedError, toVectors } from './embedder.ts';

export interface HttpEmbedderOptions {
  readonly url: string;
  readonly model: string;
  readonly apiKey?: string;
  readonly fetch?: GuardedFetch;
}

/** 16 vectors of 4,096 numbers, as text, are about 1.4 MB, which is parsed in one go. */
const maxTexts = 16;
const limits = { bodyBytes: 4 * 1_024 * 1_024, timeMs: 30_000, redirects: 0 };
const maxAfterMs = 60_000;

export function createHttpEmbedder({ url, model, apiKey, fetch }: HttpEmbedderOptions): Embedder {
  const address = `${url.replace(/\/+$/, '').replace(/\/embeddings$/, '')}/embeddings`;
  const { origin } = new URL(address);
  // The person wrote this address into the configuration: it may be on this machine or in a private network.
  const send = fetch ?? createGuardedFetch({ ...placesOf(origin), limits });
  return {
    id: createHash('sha256')
      .update(JSON.stringify(['url', address, model]))
      .digest('hex')
      .slice(0, 32),
    maxTexts,
    async embed(texts, signal) {
      const response = await ask(() =>
        send(address, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            accept: 'application/json',
            ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
          },
          body: JSON.stringify({ model, input: texts }),
          signal,
        }),
      );
      if (response.status !== 200) throw refused(response);
      return toVectors(readAnswer(await response.text()), texts.length);
    },
    async close() {},
  };
}

function placesOf(origin: string) {
  const isHttp = origin.startsWith('http:');
  return { allowLoopbackHttp: isHttp ? [origin] : [], allowPrivate: isHttp ? [] : [origin] };
}

/** Errors of the guarded fetch show the origin and a reason, never a body. */
async function ask(send: () => Promise<Response>): Promise<Response> {
  try {
    return await send();
  } catch (error) {
    throw new EmbedError(error instanceof Error ? error.message : 'the request failed', { mayPass: true });
  }
}

function refused(response: Response): EmbedError {
  const { status } = response;
  const after = Number(response.headers.get('retry-after') ?? Number.NaN);
  return new EmbedError(`the service answers with status ${status}`, {
    mayPass: status === 408 || status === 429 || status >= 500,
    tooMuch: status === 400 || status === 413 || status === 422,
    ...(Number.isFinite(after) && after >= 0 ? { afterMs: Math.min(after * 1_000, maxAfterMs) } : {}),
  });
}

/** The vectors in the order of the texts: entries may come in any order, with their place in `index`. */
function readAnswer(text: string): unknown[] {
  const answer = parseObject(text);
  const data = answer === undefined ? undefined : findMember(answer, 'data');
  if (!Array.isArray(data)) throw new EmbedError('the answer has no list "data"', { mayPass: false });
  const vectors: (Json | undefined)[] = [];
  for (const [at, entry] of data.entries()) {
    const index = isObject(entry) ? (findMember(entry, 'index') ?? at) : at;
    const isPlace = typeof index === 'number' && Number.isInteger(index) && index >= 0 && index < data.length;
    if (!isPlace || vectors[index] !== undefined)
      throw new EmbedError('the answer has an entry whose "index" is wrong', { mayPass: false });
    vectors[index] = isObject(entry) ? findMember(entry, 'embedding') : undefined;
  }
  return vectors;
}
