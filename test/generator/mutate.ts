/** From messages as they should be to what may really arrive. */
import type { Random } from './random.ts';
import { textOfDepth, textOfKey, textOfValue } from './values.ts';

/** A message as its members, each a key and the text of its value. */
export type Members = readonly (readonly [key: string, text: string])[];

export function toText(members: Members): string {
  return `{${members.map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(',')}}`;
}

/** The message as bytes: mostly as it is, else changed in its members, its text or its bytes. */
export function disturb(random: Random, members: Members): Buffer {
  switch (random.int(10)) {
    case 0:
    case 1:
    case 2:
      return Buffer.from(changedMembers(random, members));
    case 3:
      return Buffer.from(changedText(random, toText(members)));
    case 4:
      return changedBytes(random, Buffer.from(toText(members)));
    default:
      return Buffer.from(toText(members));
  }
}

function changedMembers(random: Random, members: Members): string {
  const at = random.int(members.length);
  const [key = '', text = ''] = members[at] ?? [];
  const put = (...replacement: Members) => toText(members.toSpliced(at, 1, ...replacement));
  switch (random.int(8)) {
    case 0:
      return put();
    case 1:
      return put([key, textOfValue(random)]);
    case 2:
      return put([key, text], [key, textOfValue(random)]);
    case 3:
      return put([key, textOfValue(random)], [key, text]);
    case 4:
      return put([key, text], [JSON.parse(safeKey(random)) as string, textOfValue(random)]);
    case 5:
      return random.oneIn(4) ? put([key, textOfDepth(random)]) : put([key, 'null']);
    case 6:
      return put([random.pick(['__proto__', key.toUpperCase(), `${key} `, 'constructor']), text]);
    default:
      return toText([...members].reverse());
  }
}

/** Some keys are no valid text on purpose; here one is needed. */
function safeKey(random: Random): string {
  const text = textOfKey(random);
  try {
    JSON.parse(text);
    return text;
  } catch {
    return '"x"';
  }
}

function changedText(random: Random, text: string): string {
  switch (random.int(9)) {
    case 0:
      return `[${text}]`;
    case 1:
      return `[${text},${textOfValue(random)},${text}]`;
    case 2:
      return ` \t${text}\r`;
    case 3:
      return `${text}${text}`;
    case 4:
      return text.replace(/[:,]/g, (sign) => `${sign}${random.oneIn(3) ? ' ' : ''}`);
    case 5:
      return text.slice(0, random.int(text.length));
    case 6:
      return textOfValue(random);
    case 7:
      return `\ufeff${text}`;
    default:
      return random.pick([
        '',
        ' ',
        'null',
        '[]',
        '{}',
        '[[]]',
        'NaN',
        "{'a':1}",
        '{"jsonrpc":"2.0"}',
        'hello',
        '\u0000',
      ]);
  }
}

function changedBytes(random: Random, bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  for (let flips = 1 + random.int(3); flips > 0; flips--) {
    const at = random.int(copy.length);
    copy[at] = random.oneIn(2) ? random.int(256) : (copy[at] ?? 0) ^ (1 << random.int(8));
  }
  return copy;
}
