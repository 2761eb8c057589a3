/** Texts that are JSON: an object or a list. */
import type { Json } from '../base/json/json.ts';
import { findExcess } from '../base/json/json-bounds.ts';

/** A text with more is treated as any other text: reading it would hold up all clients. */
const maxJson = 16 * 1_024 * 1_024;
const maxValues = 2_000_000;
const maxDepth = 1_000;

export function findJson(text: string, maxCharacters = maxJson): Json | undefined {
  if (text.length > maxCharacters || !/^\s*[[{]/.test(text)) return undefined;
  if (findExcess(text, { values: maxValues, depth: maxDepth }) !== undefined) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
