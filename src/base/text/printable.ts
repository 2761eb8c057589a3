/** Text from outside made safe for a terminal, a log line or an error: one line, no control or invisible characters. */
import { replaceHidden } from './hidden.ts';

export function toPrintable(text: string, most = 500): string {
  const cut = text.length > most ? `${text.slice(0, most - 1)}…` : text;
  return replaceHidden(cut, (found) =>
    found === '\n' || found === '\t' || found === '\r' ? ' ' : `\\u{${(found.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
