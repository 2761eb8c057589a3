/** Asks a server without a token, to hear what it says about signing in. */
import { WorkbenchError } from '../../base/errors.ts';
import type { HttpTransport } from '../../config/config.ts';
import { type Challenge, parseChallenge } from './challenge.ts';
import type { Fetch } from './fetch-json.ts';

/** Harmless in both eras: a server that wants no token answers it, or says that it does not know it. */
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
    // What it would have said stands in its metadata, too.
    if (error instanceof WorkbenchError && error.code === 'WB1309') return {};
    throw error;
  }
}
