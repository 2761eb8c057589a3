/** Decides whether a redirect is followed. Pure. Never to another origin: our headers and credentials are for this one. */
import { WorkbenchError } from '../../base/errors/errors.ts';
import { toPrintable } from '../../base/text/printable.ts';
import type { ServerAddress } from './failure.ts';

const maxRedirects = 3;

export interface RedirectAnswer {
  readonly method: string;
  readonly status: number;
  readonly location: string | undefined;
  /** How many redirects were followed already. */
  readonly followed: number;
}

/** The next address, or undefined when the answer is not a redirect. Throws for a redirect that must not be followed. */
export function planRedirect({ server, url }: ServerAddress, answer: RedirectAnswer): URL | undefined {
  const { method, status, location, followed } = answer;
  if (![301, 302, 303, 307, 308].includes(status)) return undefined;
  const refuse = (why: string, fix?: string) =>
    new WorkbenchError(
      'WB1312',
      `Server '${server}' at ${url.origin} redirects ${why}.`,
      fix === undefined ? {} : { fix },
    );
  if (location === undefined || !URL.canParse(location, url.href)) throw refuse('without a valid address');
  const target = new URL(location, url);
  if (target.origin !== url.origin) {
    const origin = toPrintable(`${target.protocol}//${target.host}`, 200);
    throw refuse(`to another origin, ${origin}`, `If you trust ${origin}, write the address there as "url".`);
  }
  const keepsMethod = status === 307 || status === 308 || (method === 'GET' && status !== 303);
  if (!keepsMethod) throw refuse(`with status ${status}, which would turn a POST into a GET`);
  if (followed >= maxRedirects) throw refuse(`more than ${maxRedirects} times`);
  target.username = url.username;
  target.password = url.password;
  return target;
}
