/** The spellings under which a secret turns up in what programs print: each of them gives it away as it is itself. */

/** Shorter lines of a key stand in other texts, too. */
const shortestLine = 16;
/** Fewer characters of an encoding stand in other texts, too. */
const shortestEncoded = 6;
/** What is longer is no token: its encodings would cost more than they save. */
const longestEncoded = 16 * 1_024;

/** As it is, line by line (a key, say), inside JSON, in addresses and forms, and in base64. */
export function spellSecret(value: string): Set<string> {
  const lines = value.split('\n').map((line) => line.trim());
  const spellings = new Set([value, ...lines.filter((line) => line.length >= shortestLine)]);
  if (value.length > longestEncoded) return spellings.add(escapeJson(value));
  for (const spelling of [...inJson(value), ...inAddress(value), ...inBase64(value)])
    if (spelling.length >= shortestEncoded) spellings.add(spelling);
  return spellings;
}

/** As JSON, inside JSON inside JSON up to three deep, and as it is written by those who escape slashes or whatever is not ASCII. */
function inJson(value: string): string[] {
  const once = escapeJson(value);
  const forms = [once, once.replaceAll('/', '\\/'), toAscii(once)];
  const twice = forms.map(escapeJson);
  return [...forms, ...twice, ...twice.map(escapeJson)];
}

function escapeJson(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}

function toAscii(text: string): string {
  return text.replace(/[^\0-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Percent-encoded as a part of an address, by the stricter rule too, and as a field of a form. */
function inAddress(value: string): string[] {
  const text = toWellFormed(value);
  const part = encodeURIComponent(text);
  const strict = part.replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
  const forms = [part, strict, encodeURI(text), strict.replaceAll('%20', '+')];
  return [...forms, ...forms.map((form) => form.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()))];
}

/** Half a character cannot be encoded. */
function toWellFormed(value: string): string {
  return Buffer.from(value, 'utf8').toString('utf8');
}

/**
 * Three bytes are four characters, so what a value looks like depends on how many bytes stand before it, as the user name does in
 * `user:password`. Only the characters that are of the value alone are taken.
 */
function inBase64(value: string): string[] {
  const bytes = Buffer.from(value, 'utf8');
  const aligned = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    const isSplit = (before + bytes.length) % 3 !== 0;
    return text.slice(Math.ceil((before * 8) / 6), isSplit ? -1 : undefined);
  });
  return [...aligned, ...aligned.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'))];
}
