/** What a server says of itself, read from untrusted text. */
import { findString, isObject, type Json } from '../../base/json/json.ts';
import { toPrintable } from '../../base/text/printable.ts';
import type { ServerInfo } from './edge.ts';

export function toServerInfo(value: Json | undefined): ServerInfo {
  if (!isObject(value)) return { name: 'unnamed', version: 'unknown' };
  const [title, description] = ['title', 'description'].map((key) => findString(value, key));
  return {
    ...(title === undefined ? {} : { title: toPrintable(title, 100) }),
    ...(description === undefined ? {} : { description: toPrintable(description, 300) }),
    name: toPrintable(findString(value, 'name') ?? 'unnamed', 100),
    version: toPrintable(findString(value, 'version') ?? 'unknown', 40),
  };
}
