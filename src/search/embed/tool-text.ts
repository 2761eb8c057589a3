/** What is embedded of a tool: its name in words and the beginning of its description. Longer texts blur their meaning. */
import { createHash } from 'node:crypto';
import { findString } from '../../base/json/json.ts';
import type { Item } from '../../catalog/item.ts';

const maxDescription = 300;
const maxName = 128;

export function toMeaningText({ shown, definition }: Item): string {
  const name = shown
    .slice(0, maxName)
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replace(/[_\-./]+/g, ' ')
    .trim();
  const description = (findString(definition, 'description') ?? '')
    .slice(0, maxDescription)
    .replace(/\s+/g, ' ')
    .trim();
  return description === '' ? name : `${name}: ${description}`;
}

/** What a text is known by between runs. */
export function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
