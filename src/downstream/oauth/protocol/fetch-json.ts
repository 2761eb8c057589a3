/**
 * How an authorization server is asked: by the guarded fetch, for the OAuth library as well. An error never repeats what
 * an answer says, because its author is not trusted. The fetch limits size and time.
 */
import { allowInsecureRequests, type CustomFetchOptions, customFetch } from 'oauth4webapi';
import { codeOf } from '../../../base/errors/code-of.ts';
import { WorkbenchError } from '../../../base/errors/errors.ts';
import { type Json, type JsonObject, parseObject } from '../../../base/json/json.ts';

/** The part of `fetch` that is used here; the guarded one checks every address before it connects. */
export type Fetch = (url: URL, init: RequestInit) => Promise<Response>;

/** The JSON object at an address; undefined when there is none. */
export async function getJson(fetch: Fetch, url: URL): Promise<JsonObject | undefined> {
  const response = await ask(fetch, url, { headers: { accept: 'application/json' } });
  return response.status === 200 ? parseObject(await response.text()) : undefined;
}

/** Options for a request of the library that succeeds with the status `success`. */
export function throughFetch(fetch: Fetch, success: 200 | 201) {
  return {
    // The guarded fetch decides which addresses may be asked without TLS.
    [allowInsecureRequests]: true,
    async [customFetch](address: string, init: CustomFetchOptions<'POST', URLSearchParams | string>) {
      const { 'user-agent': _, ...headers } = init.headers;
      const { method, body, redirect } = init;
      return toStrict(await ask(fetch, new URL(address), { method, headers, body, redirect }), success);
    },
  };
}

/**
 * The library reads answers by the letter of the protocol, and many servers do not write them so. Corrected here: another
 * status of success, an error with a status of success or beside a challenge, a type of content that is not JSON, members
 * without a usable value, and a client secret that does not say when it ends.
 */
async function toStrict(response: Response, success: number): Promise<Response> {
  const body = parseObject(await response.text());
  if (body === undefined) return new Response(null, { status: response.status });
  const members = Object.entries(body).filter(([name, value]) => value !== null && !isUnusable.get(name)?.(value));
  const status = !response.ok ? response.status : typeof body.error === 'string' ? 400 : success;
  return Response.json({ client_secret_expires_at: 0, ...Object.fromEntries(members) }, { status });
}

/** Members of an answer that we can do without, when their value is of no use. */
const isUnusable = new Map<string, (value: Json) => boolean>([
  // We never ask who signed in; the library would refuse the whole answer over a proof that we do not read.
  ['id_token', () => true],
  ['expires_in', (value) => !(Number(value) > 0)],
  ['refresh_token', (value) => !isTokenText(value)],
  ['scope', (value) => typeof value !== 'string'],
  ['client_secret', (value) => value === ''],
]);

/** Long enough for every token in use, and safe in a header. */
export function isTokenText(value: Json | undefined): boolean {
  return typeof value === 'string' && /^[\x21-\x7e]{1,16384}$/.test(value);
}

async function ask(fetch: Fetch, url: URL, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (cause) {
    if (cause instanceof WorkbenchError) throw cause;
    throw new WorkbenchError('WB1309', `${url.origin} could not be asked: ${toReason(cause)}`);
  }
}

/** A code of the system, or words of ours: nothing that came over the network. */
function toReason(error: unknown): string {
  if (error instanceof Error && ['TimeoutError', 'AbortError'].includes(error.name)) return 'it took too long';
  const code = codeOf(error);
  return /^[A-Z][A-Z0-9_]{2,60}$/.test(code) ? code : 'the connection failed';
}
