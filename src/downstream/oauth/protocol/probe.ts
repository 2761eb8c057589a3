/** Sends a request without a token, to learn from the refusal how to sign in. */
import { WorkbenchError } from '../../../base/errors/errors.ts';
import type { HttpTransport } from '../../../config/model/config.ts';
import { type Challenge, parseChallenge } from './challenge.ts';
import type { Fetch } from './fetch-json.ts';

/** Harmless in both eras: a server that does not want a token answers, or says that it does not know the method. */
const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';

export async function findChallenge({ url, headers }: HttpTransport, fetch: Fetch): Promise<Challenge> {
  try {
    const response = await fetch(new URL(url), {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: ping,
      redirect: 'manual',
    });
    return response.status === 401 ? parseChallenge(response.headers.get('www-authenticate') ?? undefined) : {};
  } catch (error) {
    // The metadata of the server says the same.
    if (error instanceof WorkbenchError && error.code === 'WB1309') return {};
    throw error;
  }
}
