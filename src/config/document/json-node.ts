/** The parsed file as nodes with positions, and the places that problems are reported for. */
import type { Node } from 'jsonc-parser';
import { toPrintable } from '../../base/text/printable.ts';

export type { Node };

/** A range of the text, and its path in the structure. */
export interface FilePosition {
  readonly path: string;
  readonly offset: number;
  readonly length: number;
}

/** One `"key": value` of an object. */
export interface Member {
  readonly key: string;
  readonly keyNode: Node;
  readonly node: Node;
  /** Path of the value. */
  readonly path: string;
}

export function placeOf(node: Node, path: string): FilePosition {
  return { path, offset: node.offset, length: node.length };
}

export function keyPlace(member: Member): FilePosition {
  return placeOf(member.keyNode, member.path);
}

export function valuePlace(member: Member): FilePosition {
  return placeOf(member.node, member.path);
}

/** The members of an object node, in order; none for any other node. */
export function toMembers(node: Node, path: string): Member[] {
  if (node.type !== 'object') return [];
  const members: Member[] = [];
  for (const property of node.children ?? []) {
    const [keyNode, value] = property.children ?? [];
    if (keyNode === undefined || value === undefined) continue;
    const key = String(keyNode.value);
    members.push({ key, keyNode, node: value, path: joinPath(path, key) });
  }
  return members;
}

export function joinPath(path: string, key: string | number): string {
  if (typeof key === 'number') return `${path}[${key}]`;
  const plain = /^[\w$-]+$/.test(key);
  if (!plain) return `${path}[${toPrintable(JSON.stringify(key), 80)}]`;
  return path === '' ? key : `${path}.${key}`;
}
