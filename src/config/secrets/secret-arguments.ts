/** Which parts of a command's arguments are secrets: after a name that suggests one, in a header, or by their look. */
import { announcesSecret, looksSecret } from './secret-name.ts';
import { findSecretValues, type Stretch } from './secret-value.ts';
import type { Secrets } from './secrets.ts';

export interface SecretPart extends Stretch {
  /** The name that is shown in place of the secret. */
  readonly name: string;
}

/** The name of a secret that was found by its look only. */
export const anonymous = 'argument';

/** For each argument its parts, in order. */
export function findSecretArguments(args: readonly string[]): SecretPart[][] {
  return args.map((argument, index) => findParts(argument, args[index - 1]));
}

const headerFlag = /^(?:-H|--headers?)$/i;

function findParts(argument: string, before: string | undefined): SecretPart[] {
  if (before !== undefined && headerFlag.test(before)) return headerValue(argument, 0);
  if (before !== undefined && announcesSecret(before)) return rest(argument, 0, before);
  const equals = argument.indexOf('=');
  const name = argument.slice(0, Math.max(0, equals));
  if (equals > 0 && headerFlag.test(name)) return headerValue(argument, equals + 1);
  if (equals > 0 && looksSecret(name)) return rest(argument, equals + 1, name);
  // Also in the form of curl: -HAuthorization:…
  if (/^-H[^\s:]+:/.test(argument)) return headerValue(argument, 2);
  return findSecretValues(argument).map((stretch) => ({ ...stretch, name: anonymous }));
}

/** The name of a header is not a secret; a text without a name may be one. */
function headerValue(argument: string, start: number): SecretPart[] {
  const colon = argument.indexOf(':', start);
  if (colon < 0) return rest(argument, start, 'header');
  const after = colon + 1 + (argument[colon + 1] === ' ' ? 1 : 0);
  return rest(argument, after, argument.slice(start, colon).trim() || 'header');
}

function rest(argument: string, offset: number, name: string): SecretPart[] {
  const length = argument.length - offset;
  return length > 0 ? [{ offset, length, name: name.replace(/^-+/, '') || 'header' }] : [];
}

/** A plain word after such a name is often not a secret ("--auth interactive"), and replacing it would spoil the output. */
function isTelling({ name }: SecretPart, value: string): boolean {
  return name === anonymous || (value.length >= 8 && /\d/.test(value));
}

/** Keeps these values out of everything that is printed from now on. */
export function learnArguments(args: readonly string[], secrets: Secrets): void {
  for (const [index, parts] of findSecretArguments(args).entries()) {
    for (const part of parts) {
      const value = (args[index] ?? '').slice(part.offset, part.offset + part.length);
      if (isTelling(part, value)) secrets.learn(part.name, value);
    }
  }
}
