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
  if (!rules.prefix) return fitName(name, rules);
  return fitName(`${server}${toSeparator(rules)}${name}`, rules);
}

/** The text between server and tool: another one where the chosen one would not survive. */
export function toSeparator({ separator, safeNames }: { separator: string; safeNames: boolean }): string {
  return safeNames && !/^[A-Za-z0-9_]+$/.test(separator) ? dynamicSeparator : separator;
}

/**
 * The name of a tool without the name of its server, which many tools begin with: the public name would say it twice. The name as
 * it is where nothing is left, or does not begin with a letter.
 */
export function withoutServerName(name: string, server: string): string {
  const beginning = `${server.toLowerCase().replace(/[^a-z0-9]+/g, '_')}_`;
  const isOwn =
    name
      .slice(0, beginning.length)
      .toLowerCase()
      .replace(/[^a-z0-9]/g, '_') === beginning;
  const rest = name.slice(beginning.length);
  return isOwn && /^[A-Za-z]/.test(rest) ? rest : name;
}

/** A name for one of several tools that would have the same: it ends in a hash of what tells the tool from others, and fits. */
export function uniqueName(identity: { server: string; key: string; name: string }, rules: NameRules): string {
  const { server, key, name } = identity;
  const whole = `${server}${dynamicSeparator}${name}`;
  const safe = rules.safeNames ? toSafe(whole) : whole;
  return toHashed(JSON.stringify([key, name]), safe, rules.maxNameLength ?? Number.POSITIVE_INFINITY);
}

const hashLength = 6;

/** A name that fits stays as it is; a shortened one ends in a hash of the whole name, so it is stable and stays unique. */
function fitName(name: string, { maxNameLength, safeNames }: NameRules): string {
  const safe = safeNames ? toSafe(name) : name;
  if (maxNameLength === undefined || safe.length <= maxNameLength) return safe;
  return toHashed(name, safe, maxNameLength);
}

function toHashed(name: string, safe: string, maxLength: number): string {
  const hash = createHash('sha256').update(name).digest('hex').slice(0, hashLength);
  return `${safe.slice(0, maxLength - hashLength - 1)}_${hash}`;
}

/** Letters, digits and `_`, beginning with a letter: every known client accepts these. */
function toSafe(name: string): string {
  const replaced = name.replace(/[^A-Za-z0-9_]/gu, '_');
  return /^[A-Za-z]/.test(replaced) ? replaced : `t_${replaced}`;
}
