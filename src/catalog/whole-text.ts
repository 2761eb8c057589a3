/** Skips checks on every part of a text when the whole text cannot fail them: the lists of a start have many parts. */
import type { ItemLimits } from './item.ts';

const plainText = /^[\n -~]*$/;
/** Escapes that may stand for a hidden character. */
const telling = /\\[bfru]/;

/** The limits for items that came in these texts only; a text that is not available may hold anything. */
export function withWholeTexts<T extends ItemLimits>(limits: T, texts: readonly (string | undefined)[]): T {
  const { schemaBytes } = limits;
  const small = texts.every((text) => text !== undefined && text.length < schemaBytes / 4);
  return {
    ...limits,
    // A text that is smaller than the limit for schemas cannot hold a larger schema.
    schemaBytes: small ? Number.POSITIVE_INFINITY : schemaBytes,
    plain: texts.every((text) => text !== undefined && plainText.test(text) && !telling.test(text)),
  };
}
