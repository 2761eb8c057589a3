/** A server as it may be shown: what the file says, with variables by name and without what looks like a secret. */
import { toPrintable } from '../base/printable.ts';
import { dots } from './mask.ts';
import { announcesSecret, looksSecret } from './secret-name.ts';

export function showCommand(command: string, args: readonly string[]): string {
  const shown = [command];
  let announced = false;
  for (const argument of args) {
    const equals = argument.indexOf('=');
    if (announced) shown.push(hide(argument));
    else if (equals > 0 && looksSecret(argument.slice(0, equals)))
      shown.push(argument.slice(0, equals + 1) + hide(argument.slice(equals + 1)));
    else shown.push(showAddress(argument));
    announced = announcesSecret(argument);
  }
  return toPrintable(shown.join(' '));
}

/** Without user, password and query. */
export function showAddress(address: string): string {
  const scheme = address.indexOf('://');
  if (scheme < 0) return toPrintable(address);
  const rest = address.slice(scheme + 3);
  const slash = rest.indexOf('/') < 0 ? rest.length : rest.indexOf('/');
  const host = rest.slice(rest.slice(0, slash).lastIndexOf('@') + 1);
  const [beforeQuery = '', ...query] = host.split('?');
  return toPrintable(`${address.slice(0, scheme + 3)}${beforeQuery}${query.length > 0 ? '?…' : ''}`);
}

function hide(text: string): string {
  return dots(text).replace(/\u2022+/g, '•••');
}
