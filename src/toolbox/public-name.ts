/** The public name of a tool: built from its address, shortened when required, and parsed only to explain errors. */
import { createHash } from 'node:crypto';
import type { Address } from './toolbox.ts';

/** Between toolbox, server and tool; fixed, because the configuration refuses names that contain it. */
export const dynamicSeparator = '__';

export interface NameRules {
  readonly maxNameLength: number | undefined;
  readonly safeNames: boolean;
}

export function dynamicName({ toolbox, server, name }: Address, rules: NameRules): string {
  return fitName([toolbox, server, name].join(dynamicSeparator), rules);
}

/** The components of a dynamic public name, or null when it has fewer than two separators or an empty component. */
export function parseDynamicName(publicName: string): Address | null {
  const first = publicName.indexOf(dynamicSeparator);
  const second = first < 0 ? -1 : publicName.indexOf(dynamicSeparator, first + dynamicSeparator.length);
  if (second < 0) return null;
  const toolbox = publicName.slice(0, first);
  const server = publicName.slice(first + dynamicSeparator.length, second);
  const name = publicName.slice(second + dynamicSeparator.length);
  return toolbox === '' || server === '' || name === '' ? null : { toolbox, server, name };
}

export function flatName(
  { server, name }: Pick<Address, 'server' | 'name'>,
  rules: NameRules & { readonly separator: string; readonly prefix: boolean },
): string {
  const { separator, prefix, safeNames } = rules;
  if (!prefix) return fitName(name, rules);
  const joint = safeNames && !/^[A-Za-z0-9_]+$/.test(separator) ? dynamicSeparator : separator;
  return fitName(`${server}${joint}${name}`, rules);
}

const hashLength = 6;

/** A name that fits stays as it is; a shortened one ends in a hash of the whole name, so it is stable and stays unique. */
function fitName(name: string, { maxNameLength, safeNames }: NameRules): string {
  const safe = safeNames ? toSafe(name) : name;
  if (maxNameLength === undefined || safe.length <= maxNameLength) return safe;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, hashLength);
  return `${safe.slice(0, maxNameLength - hashLength - 1)}_${hash}`;
}

/** Letters, digits and `_`, beginning with a letter: every known client accepts these. */
function toSafe(name: string): string {
  const replaced = name.replace(/[^A-Za-z0-9_]/gu, '_');
  return /^[A-Za-z]/.test(replaced) ? replaced : `t_${replaced}`;
}
