/**
 * An address that a server wants a person to open. It is handed to another program on this machine, so it must not contain
 * anything that such a program, or a shell behind it, could take for something other than an address.
 */
import { WorkbenchError } from '../base/errors/errors.ts';
import { isLoopback } from '../base/loopback.ts';

const longest = 2_048;
/** The characters of a URL (RFC 3986), without the quote and the dollar sign, which have a meaning in shells. */
const harmless = /^[A-Za-z0-9\-._~:/?#[\]@!&()*+,;=%]*$/;

/**
 * The address as it may be opened: parsed and written anew, never the original text. It begins with its scheme, so that no
 * program takes it for an option.
 */
export function checkAuthorizationUrl(text: string): URL {
  if (text.length > longest) throw refused(`it is longer than ${longest} characters`);
  // Before parsing, which silently drops or repairs some of these.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the purpose
  if (/[\u0000-\u0020\u007f-\u00a0\u2028\u2029]/.test(text)) throw refused('it contains spaces or control characters');
  if (/["'`$\\]/.test(text)) throw refused('it contains quotes, "$" or a backslash');
  if (/%(?![0-9A-Fa-f]{2})/.test(text)) throw refused('it contains a "%" without two hexadecimal digits after it');
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) throw refused('it is not a URL');
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname)))
    throw refused('only https is allowed, or http on this machine');
  if (url.username !== '' || url.password !== '' || hasUserinfo(text))
    throw refused('it contains a user name or password');
  if (url.href.length > longest) throw refused(`it is longer than ${longest} characters`);
  if (!harmless.test(url.href)) throw refused('it contains characters that are not allowed in a URL');
  return url;
}

/** Whether an address may be shown to a person as one to open. The client opens it, not we, so it only has to be a web address. */
export function isOpenable(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
}

/** An `@` before the path makes the text in front of it look like the host, even where that text is empty. */
function hasUserinfo(text: string): boolean {
  const [authority = ''] = text.replace(/^[^:]*:\/*/, '').split(/[/?#]/, 1);
  return authority.includes('@');
}

function refused(why: string): WorkbenchError {
  return new WorkbenchError('WB1310', `the sign-in address of the server was refused: ${why}`);
}
