/** What need not be looked for in every part of a text, because the whole cannot have it: the lists of a start are many parts. */
import type { ItemLimits } from './item.ts';

const plainText = /^[\n -~]*$/;
/** Escapes that may stand for something that nobody sees. */
const telling = /\\[bfru]/;

/** The limits for items that came in these texts and nowhere else; a text that cannot be had may hold anything. */
export function withWholeTexts<T extends ItemLimits>(limits: T, texts: readonly (string | undefined)[]): T {
  const { schemaBytes } = limits;
  const small = texts.every((text) => text !== undefined && text.length < schemaBytes / 4);
  return {
    ...limits,
    // In a text that is smaller than a schema may be, no schema is larger.
    schemaBytes: small ? Number.POSITIVE_INFINITY : schemaBytes,
    plain: texts.every((text) => text !== undefined && plainText.test(text) && !telling.test(text)),
  };
}
