/** A server as it may be shown: the text of the file, with variables by name and without anything that looks like a secret. */
import { toPrintable } from '../../base/text/printable.ts';
import { dots } from './mask.ts';
import { findSecretArguments } from './secret-arguments.ts';
import { findSecretValues, type Stretch } from './secret-value.ts';

export function showCommand(command: string, args: readonly string[]): string {
  // A whole command line may be in "command" by mistake.
  const words = command.split(' ');
  const program = words.length > 1 ? showArguments(words).join(' ') : command;
  return toPrintable([program, ...showArguments(args)].join(' '));
}

export function showArguments(args: readonly string[]): string[] {
  const secrets = findSecretArguments(args);
  return args.map((argument, index) => {
    const parts = secrets[index] ?? [];
    return parts.length > 0 ? hideParts(argument, parts) : showAddress(argument);
  });
}

/** Without user, password and query. */
export function showAddress(address: string): string {
  const scheme = address.indexOf('://');
  if (scheme < 0) return toPrintable(hideSecretValues(address));
  const rest = address.slice(scheme + 3);
  const slash = rest.indexOf('/') < 0 ? rest.length : rest.indexOf('/');
  const host = rest.slice(rest.slice(0, slash).lastIndexOf('@') + 1);
  const [beforeQuery = '', ...query] = host.split('?');
  const path = hideSecretValues(beforeQuery);
  return toPrintable(`${address.slice(0, scheme + 3)}${path}${query.length > 0 ? '?…' : ''}`);
}

/** A value that may be a secret: names of variables stay. */
export function showSecret(written: string): string {
  return toPrintable(hide(written), 200);
}

/** A text without the values that look like secrets. */
function hideSecretValues(text: string): string {
  return hideParts(text, findSecretValues(text));
}

function hideParts(text: string, parts: readonly Stretch[]): string {
  let shown = '';
  let at = 0;
  for (const { offset, length } of parts) {
    shown += text.slice(at, offset) + hide(text.slice(offset, offset + length));
    at = offset + length;
  }
  return shown + text.slice(at);
}

function hide(text: string): string {
  return dots(text).replace(/\u2022+/g, '•••');
}
