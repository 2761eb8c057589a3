/**
 * Characters that a program reads and a person does not see: controls, zero width, direction marks, tags, variation selectors,
 * lone surrogates. Parts of an emoji, CRLF and the few visible format characters are not among them.
 */

let rule: RegExp | undefined;

/** Built on first use: building it takes most of a millisecond of a start, and plain texts never need it. */
function hidden(): RegExp {
  // The first alternatives match what stays; the group matches what is hidden. Each is matched in one pass without backtracking.
  rule ??=
    /\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|[\ufe0e\ufe0f])?(?:\u200d\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|[\ufe0e\ufe0f])?)*|[0-9#*]\ufe0f?\u20e3|[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]|\r\n|([\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029])/gu;
  return rule;
}

/** True for most texts; the full rule costs fifty times as much, and some milliseconds on its first use. */
const plainLine = /^[ -~]*$/;
const plainText = /^[\t\n -~]*$/;

/** The text with each hidden character replaced, line breaks and tabs included. */
export function replaceHidden(text: string, replace: (character: string) => string): string {
  if (plainLine.test(text)) return text;
  return text.replace(hidden(), (found, character: string | undefined) => {
    if (character !== undefined) return replace(character);
    return found === '\r\n' ? `${replace('\r')}${replace('\n')}` : found;
  });
}

/** A text of several lines without its hidden characters. */
export function withoutHidden(text: string): string {
  if (plainText.test(text)) return text;
  return text.replace(hidden(), (found, character: string | undefined) =>
    character === undefined || character === '\n' || character === '\t' ? found : '',
  );
}

/** The same for a name, which is a single line. */
export function withoutHiddenInName(name: string): string {
  return replaceHidden(name, () => '');
}
