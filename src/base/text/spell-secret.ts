/**
 * The spellings under which a secret turns up in the output of programs: each of them reveals it as much as the plain text does.
 */

/** Shorter lines of a key also occur in other texts. */
const shortestLine = 16;
/** Fewer characters of an encoding also occur in other texts. */
const shortestEncoded = 6;
/** A longer value is not a token: its encodings would cost more than they save. */
const maxEncodedLength = 16 * 1_024;

/** As it is, line by line (a key, for example), inside JSON, in URLs and forms, and in base64. */
export function spellSecret(value: string): Set<string> {
  const lines = value.split('\n').map((line) => line.trim());
  const spellings = new Set([value, ...lines.filter((line) => line.length >= shortestLine)]);
  if (value.length > maxEncodedLength) return spellings.add(escapeJson(value));
  for (const spelling of [...inJson(value), ...inAddress(value), ...inBase64(value)])
    if (spelling.length >= shortestEncoded) spellings.add(spelling);
  return spellings;
}

/** As JSON, as JSON nested up to three deep, and as programs write it that escape slashes or everything outside ASCII. */
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

/** Percent-encoded as a part of a URL, also by the stricter rule, and as a field of a form. */
function inAddress(value: string): string[] {
  const text = toWellFormed(value);
  const part = encodeURIComponent(text);
  const strict = part.replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
  const forms = [part, strict, encodeURI(text), strict.replaceAll('%20', '+')];
  return [...forms, ...forms.map((form) => form.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()))];
}

/** A lone surrogate cannot be encoded. */
function toWellFormed(value: string): string {
  return Buffer.from(value, 'utf8').toString('utf8');
}

/**
 * Three bytes become four characters, so the encoding of a value depends on how many bytes precede it, such as the user name in
 * `user:password`. Only the characters that depend on the value alone are used.
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
