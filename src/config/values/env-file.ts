/** Files of NAME=value lines, as other tools write them. */

export interface EnvFile {
  readonly values: ReadonlyMap<string, string>;
  /** Numbers of the lines that are not NAME=value. Their text is left out: it may hold a part of a secret. */
  readonly badLines: readonly number[];
}

export function parseEnvFile(text: string): EnvFile {
  const values = new Map<string, string>();
  const badLines: number[] = [];
  const lines = text.replace(/^\ufeff/, '').split('\n');
  for (let index = 0; index < lines.length; index++) {
    const line = (lines[index] ?? '').trim();
    if (line === '' || line.startsWith('#')) continue;
    const parsed = parseLine(line);
    if (parsed === undefined) badLines.push(index + 1);
    else values.set(parsed.name, parsed.value);
  }
  return { values, badLines };
}

function parseLine(line: string): { name: string; value: string } | undefined {
  const equals = line.indexOf('=');
  if (equals < 0) return undefined;
  const name = line
    .slice(0, equals)
    .replace(/^export\s+/, '')
    .trim();
  if (!/^[A-Za-z_][A-Za-z0-9_.-]*$/.test(name)) return undefined;
  const value = parseValue(line.slice(equals + 1).trim());
  return value === undefined ? undefined : { name, value };
}

/** Quoted text as it is (with escapes in double quotes), other text up to a comment. */
function parseValue(text: string): string | undefined {
  const quote = text[0];
  if (quote !== '"' && quote !== "'") {
    const comment = /\s#/.exec(text)?.index ?? text.length;
    return text.startsWith('#') ? '' : text.slice(0, comment).trim();
  }
  const end = closingQuote(text, quote);
  const rest = text.slice(end + 1).trim();
  if (end < 0 || (rest !== '' && !rest.startsWith('#'))) return undefined;
  const inner = text.slice(1, end);
  return quote === "'" ? inner : inner.replace(/\\(.)/g, (_, escaped: string) => toCharacter(escaped));
}

function closingQuote(text: string, quote: string): number {
  for (let at = 1; at < text.length; at++) {
    if (text[at] === '\\' && quote === '"') at++;
    else if (text[at] === quote) return at;
  }
  return -1;
}

function toCharacter(escaped: string): string {
  if (escaped === 'n') return '\n';
  if (escaped === 'r') return '\r';
  if (escaped === 't') return '\t';
  return escaped === '"' || escaped === '\\' || escaped === '$' ? escaped : `\\${escaped}`;
}
