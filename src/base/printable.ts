/** Text from outside made safe for a terminal, a log line or an error: one line, no control or invisible characters. */

// Control characters, zero-width and direction marks, line separators, lone surrogates, the tag block.
const unsafe =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the purpose
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]|\udb40[\udc00-\udc7f]/g;

export function toPrintable(text: string, most = 500): string {
  const cut = text.length > most ? `${text.slice(0, most - 1)}…` : text;
  return cut.replace(unsafe, (found) =>
    found === '\n' || found === '\t' || found === '\r' ? ' ' : `\\u{${(found.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
