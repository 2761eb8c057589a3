/**
 * One question to an authorization server, and its JSON answer. What an answer says is never part of an error, because
 * whoever wrote it is not trusted. Limits of size and time are those of the fetch.
 */
import { WorkbenchError } from '../../base/errors.ts';
import { type JsonObject, parseObject } from '../../base/json.ts';

/** What of `fetch` is used here; the guarded one checks every address before it connects. */
export type Fetch = (url: URL, init: RequestInit) => Promise<Response>;

export interface JsonAnswer {
  readonly status: number;
  /** Undefined when the body is no JSON object. */
  readonly body: JsonObject | undefined;
}

export function getJson(fetch: Fetch, url: URL): Promise<JsonAnswer> {
  return ask(fetch, url, { headers: { accept: 'application/json' } });
}

export function postForm(
  fetch: Fetch,
  url: URL,
  form: URLSearchParams,
  headers: Record<string, string> = {},
): Promise<JsonAnswer> {
  const type = 'application/x-www-form-urlencoded';
  return ask(fetch, url, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': type, ...headers },
    body: form.toString(),
    redirect: 'manual',
  });
}

export function postJson(fetch: Fetch, url: URL, value: JsonObject): Promise<JsonAnswer> {
  return ask(fetch, url, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify(value),
    redirect: 'manual',
  });
}

async function ask(fetch: Fetch, url: URL, init: RequestInit): Promise<JsonAnswer> {
  try {
    const response = await fetch(url, init);
    return { status: response.status, body: parseObject(await response.text()) };
  } catch (cause) {
    if (cause instanceof WorkbenchError) throw cause;
    throw new WorkbenchError('WB1309', `${url.origin} could not be asked: ${toReason(cause)}`);
  }
}

/** The system's word for it, or ours: nothing that came over the network. */
function toReason(error: unknown): string {
  if (error instanceof Error && ['TimeoutError', 'AbortError'].includes(error.name)) return 'it took too long';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^[A-Z][A-Z0-9_]{2,60}$/.test(code) ? code : 'the connection failed';
}
