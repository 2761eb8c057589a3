/** Names of toolboxes and servers: which are allowed, and what to write instead of one that is not. */

/** Joins toolbox, server and tool in mode `dynamic`, so no name may contain it. */
const joint = '__';

export function isName(name: string): boolean {
  return /^[A-Za-z0-9_-]+$/.test(name) && !name.includes(joint);
}

/** Other characters do no harm in the name of a server, because it gets a label. The separator would. */
export function isServerName(name: string): boolean {
  return isFlatName(name) && !name.includes(joint);
}

/** Mode `flat` only joins server and tool, and looks names up: nearly any name works. */
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
