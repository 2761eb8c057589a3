/** Dots out the secrets of a configuration text, character for character, so that its lines can be shown. */
import { createScanner, parseTree } from 'jsonc-parser';
import { type Node, toMembers } from '../document/json-node.ts';
import { anonymous, findSecretArguments } from './secret-arguments.ts';
import { looksSecret } from './secret-name.ts';
import { findSecretValues, type Stretch } from './secret-value.ts';

/**
 * For a text that parses: masks everything under `headers`, under names that suggest a secret, after such arguments and in URLs,
 * and everything that looks like a token.
 */
export function maskSecrets(text: string): string {
  const root = parseTree(text, [], { allowTrailingComma: true });
  return root === undefined ? maskAllValues(text) : mask(text, secretStretches(text, root));
}

/** For a text that does not parse: values cannot be assigned to keys, so only keys are shown. */
export function maskAllValues(text: string): string {
  const scanner = createScanner(text, true);
  const stretches: Stretch[] = [];
  let pending: Stretch | undefined;
  while (scanner.getPosition() < text.length) {
    scanner.scan();
    const offset = scanner.getTokenOffset();
    const first = text.charAt(offset);
    if (pending !== undefined && first !== ':') stretches.push(pending);
    pending = first === '"' ? inside(text, offset, scanner.getTokenLength()) : undefined;
  }
  if (pending !== undefined) stretches.push(pending);
  return mask(text, stretches);
}

function secretStretches(text: string, root: Node): Stretch[] {
  const stretches: Stretch[] = [];
  const take = (node: Node) => stretches.push(inside(text, node.offset, node.length));
  const visit = (node: Node, secret: boolean) => {
    if (node.type === 'string') {
      if (secret) take(node);
      else stretches.push(...addressStretches(text, node), ...valueStretches(text, node));
    }
    for (const member of toMembers(node, '')) {
      visit(member.node, secret || /headers$/i.test(member.key) || hidesText(member.key, member.node));
    }
    if (node.type === 'array') {
      const children = node.children ?? [];
      const named = findSecretArguments(children.map((child) => (child.type === 'string' ? String(child.value) : '')));
      for (const [index, child] of children.entries()) {
        const parts = named[index] ?? [];
        visit(child, secret || parts.some(({ name }) => name !== anonymous));
      }
    }
  };
  visit(root, false);
  return stretches;
}

/** Tokens have no escapes, so a token in the written text is also one in the value. */
function valueStretches(text: string, node: Node): Stretch[] {
  const { offset, length } = inside(text, node.offset, node.length);
  return findSecretValues(text.slice(offset, offset + length)).map((found) => ({
    ...found,
    offset: offset + found.offset,
  }));
}

/** A server called `auth` is not a secret; a string under such a name is. */
function hidesText(key: string, node: Node): boolean {
  return node.type === 'string' && looksSecret(key);
}

/** User, password and query of a URL. */
function addressStretches(text: string, node: Node): Stretch[] {
  const { offset, length } = inside(text, node.offset, node.length);
  const raw = text.slice(offset, offset + length);
  const scheme = raw.indexOf('://');
  if (scheme < 0) return [];
  const stretches: Stretch[] = [];
  const host = scheme + 3;
  const at = raw.slice(host).split('/', 1)[0]?.lastIndexOf('@') ?? -1;
  if (at > 0) stretches.push({ offset: offset + host, length: at });
  const query = raw.indexOf('?', host);
  if (query >= 0) stretches.push({ offset: offset + query + 1, length: length - query - 1 });
  return stretches;
}

/** A string token without its quotes; the closing quote may be missing. */
function inside(text: string, offset: number, length: number): Stretch {
  const closed = length > 1 && text[offset + length - 1] === '"';
  return { offset: offset + 1, length: Math.max(0, length - (closed ? 2 : 1)) };
}

function mask(text: string, stretches: readonly Stretch[]): string {
  let masked = '';
  let at = 0;
  for (const { offset, length } of [...stretches].sort((a, b) => a.offset - b.offset)) {
    if (offset < at) continue;
    masked += text.slice(at, offset) + dots(text.slice(offset, offset + length));
    at = offset + length;
  }
  return masked + text.slice(at);
}

/** Names of variables stay: they say where the value comes from. A default does not stay. */
export function dots(text: string): string {
  return text.replace(/\$\{[A-Za-z0-9_:]*\}?|[^\n]/g, (part) => (part.startsWith('${') ? part : '•'));
}
