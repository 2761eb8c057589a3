/** Names of toolboxes and servers: which ones are allowed, what others are called instead, and what to write for one that is refused. */
import { createHash } from 'node:crypto';

/** Joins toolbox, server and tool in dynamic mode, so no name may contain it. */
const joint = '__';

export function isName(name: string): boolean {
  return /^[A-Za-z0-9_-]+$/.test(name) && !name.includes(joint);
}

/** Other characters do no harm in the name of a server: it gets a label. The separator would. */
export function isServerName(name: string): boolean {
  return isFlatName(name) && !name.includes(joint);
}

/** Flat mode only joins server and tool, and looks names up: nearly anything goes. */
export function isFlatName(name: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: refusing control characters is the purpose
  return name !== '' && !/[\u0000-\u001f\u007f-\u009f]/.test(name);
}

/** The nearest allowed name. */
export function suggestName(name: string, fallback: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^A-Za-z0-9_-]/g, '-')
    .replace(/-{2,}/g, '-')
    .replace(/_{2,}/g, '_');
  const trimmed = plain.replace(/^-/, '').replace(/-$/, '');
  return trimmed === '' ? fallback : trimmed;
}

/**
 * What servers are called where a name must be plain: those that are stay as they are, any other gets a label made of it. The same
 * names give the same labels, and no two servers the same one.
 */
export function buildLabels(names: Iterable<string>): ReadonlyMap<string, string> {
  const all = [...new Set(names)];
  const labels = new Map(all.filter(isName).map((name) => [name, name]));
  const taken = new Set(labels.keys());
  const others = all.filter((name) => !labels.has(name));
  // The short label only where nobody else would get it: who comes first must not matter.
  for (const toLabel of [shortLabel, wholeLabel]) {
    const open = others.filter((name) => !labels.has(name));
    const claims = new Map<string, number>();
    for (const label of open.map(toLabel)) claims.set(label, (claims.get(label) ?? 0) + 1);
    for (const name of open) {
      const label = toLabel(name);
      if (claims.get(label) === 1 && !taken.has(label)) labels.set(name, label);
    }
    for (const label of labels.values()) taken.add(label);
  }
  for (const name of others) if (!labels.has(name)) labels.set(name, `${wholeLabel(name)}-${fingerprint(name)}`);
  return new Map(all.map((name) => [name, labels.get(name) ?? name]));
}

/** Galleries call a server `io.github.owner/name`; the last part is what people call it. */
function shortLabel(name: string): string {
  const gallery = /^[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+\/([^/]+)$/.exec(name);
  return suggestName(gallery?.[1] ?? name, 'server');
}

function wholeLabel(name: string): string {
  return suggestName(name, 'server');
}

function fingerprint(name: string): string {
  return createHash('sha256').update(name).digest('hex').slice(0, 6);
}
