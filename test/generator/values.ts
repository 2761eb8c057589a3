/** JSON texts of every kind, written by hand: a value that was printed could hold nothing odd. */
import type { Random } from './random.ts';

const numbers = [
  '0',
  '-0',
  '1',
  '-1',
  '1.5',
  '12.0',
  '1e400',
  '-1e400',
  '9007199254740993',
  '2147483648',
  '1E2',
  '5e-324',
];
const words = [
  ...['', 'a', 'echo', 'tools', 'name', '2025-11-25', '2026-07-28', 'default', 'info', 'null', 'true'],
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'prototype', 'length'],
  ...[
    '\u0000',
    '\u001b[2J',
    '\r\n',
    '\u2028',
    '\u202e',
    '\ufeff',
    '\ud800',
    'é',
    '日本',
    '😀',
    '/../',
    '"',
    '\\',
    '\u007f',
  ],
];
/** Members that the protocol gives a meaning. */
const keys = [
  ...['id', 'method', 'params', 'result', 'error', 'jsonrpc', '_meta', 'name', 'arguments', 'cursor', 'uri', 'level'],
  ...['progressToken', 'requestId', 'nextCursor', 'tools', 'content', 'isError', 'structuredContent', 'resultType'],
  ...['code', 'message', 'data', 'tool', 'server', 'toolbox', 'ref', 'argument', 'inputResponses', 'notifications'],
];

export function textOfString(random: Random): string {
  if (random.oneIn(400))
    return `"${random.pick(['x', '\\u0000', '😀', ' '])}"`.replace(
      /^"(.*)"$/,
      (_, one: string) => `"${one.repeat(1 + random.int(20_000))}"`,
    );
  const word = random.pick(words) + (random.oneIn(3) ? random.pick(words) : '');
  if (random.oneIn(40)) return `"${word}"`;
  return JSON.stringify(word);
}

export function textOfKey(random: Random): string {
  if (random.oneIn(4)) return textOfString(random);
  const key = random.pick(keys);
  if (random.oneIn(30)) return `"\\u${key.charCodeAt(0).toString(16).padStart(4, '0')}${key.slice(1)}"`;
  return JSON.stringify(random.oneIn(30) ? key.toUpperCase() : key);
}

export function textOfValue(random: Random, levels = 4): string {
  switch (levels === 0 ? random.int(5) : random.int(8)) {
    case 0:
      return random.pick(['null', 'true', 'false']);
    case 1:
    case 2:
      return random.pick(numbers);
    case 3:
    case 4:
      return textOfString(random);
    case 5:
      return `[${Array.from({ length: random.int(4) }, () => textOfValue(random, levels - 1)).join(',')}]`;
    default:
      return textOfObject(random, levels);
  }
}

export function textOfObject(random: Random, levels = 4): string {
  const members = Array.from(
    { length: random.int(5) },
    () => `${textOfKey(random)}:${textOfValue(random, levels - 1)}`,
  );
  return `{${members.join(random.oneIn(20) ? ' ,\t' : ',')}}`;
}

/** Nested so deep that a careless reader falls. */
export function textOfDepth(random: Random): string {
  const levels = random.oneIn(20) ? 50_000 : 100 + random.int(400);
  return random.oneIn(2) ? '['.repeat(levels) + ']'.repeat(levels) : `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
}
