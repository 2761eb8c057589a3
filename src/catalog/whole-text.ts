/** Skips checks on every part of a text when the whole text cannot fail them: the lists of a start have many parts. */
import type { ItemChecks, ItemLimits } from './item.ts';

const plainText = /^[\n -~]*$/;
/** Escapes that may stand for a hidden character. */
const telling = /\\[bfru]/;

/** What items that came in these texts only can fail; a text that is not available may hold anything. */
export function findChecks({ schemaBytes }: ItemLimits, texts: readonly (string | undefined)[]): ItemChecks {
  return {
    hidden: !texts.every((text) => text !== undefined && plainText.test(text) && !telling.test(text)),
    // A text that is smaller than the limit for schemas cannot hold a larger schema.
    size: !texts.every((text) => text !== undefined && text.length < schemaBytes / 4),
  };
}
