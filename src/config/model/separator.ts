/** Checks the text between server and tool in a flat name. */

/** The mistake in a separator, or undefined. */
export function checkSeparator(separator: string): string | undefined {
  if (separator === '') return 'Separator cannot be empty. Use --separator <chars> with at least one character.';
  if (/\s/.test(separator))
    return 'Separator cannot contain whitespace. Use non-whitespace characters for --separator.';
  return undefined;
}
