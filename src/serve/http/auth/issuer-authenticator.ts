/** The authenticator for an issuer that the user configured: its own hosts may be private, addresses that it names may not. */
import { systemClock } from '../../../base/async/clock.ts';
import { isLoopback } from '../../../base/loopback.ts';
import { createGuardedFetch } from '../../../net/guarded-fetch.ts';
import type { Authenticator } from './authenticator.ts';
import { createJwtAuthenticator, type JwtAuthenticatorOptions } from './jwt-authenticator.ts';

/** Clocks of two machines differ by a little. */
const clockToleranceSec = 30;

export function createIssuerAuthenticator(
  options: Omit<JwtAuthenticatorOptions, 'fetch' | 'clock' | 'clockToleranceSec'>,
): Authenticator {
  const urls = [options.issuer, options.jwksUri].flatMap((text) => (text === undefined ? [] : new URL(text)));
  const [here, elsewhere] = [urls.filter(isThisMachine), urls.filter((url) => !isThisMachine(url))];
  const fetch = createGuardedFetch({
    allowLoopbackHttp: here.map(({ origin }) => origin),
    allowPrivate: elsewhere.map(({ origin }) => origin),
  });
  return createJwtAuthenticator({ ...options, fetch, clock: systemClock, clockToleranceSec });
}

function isThisMachine({ hostname }: URL): boolean {
  return isLoopback(hostname);
}
