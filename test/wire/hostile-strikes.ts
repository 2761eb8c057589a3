/** What a client gets when it calls a tool whose server strikes: the true answer, or an error that ends the call. */
import type { JsonObject } from '../../src/base/json/json.ts';

export interface HostileStrike {
  /** As hostile-strikes.mjs names it. */
  readonly title: string;
  /** What the answer to the call must hold. */
  readonly answer: JsonObject;
}

const text = (value: string): JsonObject => ({ result: { content: [{ type: 'text', text: value }] } });
const error = (code: number): JsonObject => ({ error: { code } });
const failed: JsonObject = { result: { isError: true } };
const useless = error(-32603);

const honest: readonly string[] = [
  ...['answers unknown ids', 'answers without an id', 'answers under the id null', 'answers under odd ids'],
  ...['answers with two ids', 'progress for foreign tokens', 'progress for tokens without a text', 'deep progress'],
  ...['odd progress', 'deep log messages', 'odd log messages', 'odd notifications', 'requests of its own'],
  ...['requests under odd ids', 'a flood of notifications', 'a flood of progress', 'a flood of log messages'],
  ...['a storm of changes', 'a flood of noise', 'noise of 1 MB', 'NUL bytes', 'broken UTF-8'],
  ...['a byte order mark and carriage returns', 'every JSON type as a message'],
];

/** Answers that are none end the call at once, not at its time limit. */
const unusable: readonly string[] = [
  ...['an error of null alone', 'a result of null', 'a result that is a list', 'a result that is a text'],
  ...['neither result nor error', 'an error that is a text', 'an error without members', 'an error with odd members'],
];

const others = new Map<string, JsonObject>([
  ['answers twice', text('done')],
  ['answers under the id as a decimal', text('done')],
  ['answers in a batch', text('done')],
  ['an error of null beside a result', text('done')],
  ['result and error both', error(-32050)],
  ['an error with deep data', { error: {} }],
  ['an error of 1 MB', error(-32050)],
  ['a deep result', { result: { content: [] } }],
  ['structured content that is a list', text('[1]')],
  ['metadata of the wrong type', { result: { content: [] } }],
  ['an answer over the limit', failed],
  ['half an answer and death', failed],
  ['a closed stdout', failed],
]);

export function hostileStrikes(era: 'legacy' | 'modern'): HostileStrike[] {
  // Kinds of result belong to the stateless era; to the other they are members like any other.
  const kind = era === 'modern' ? useless : { result: {} };
  const kinds = ['a result type without a text', 'a deep result type'];
  return [
    ...honest.map((title) => ({ title, answer: text('strike is honest') })),
    ...unusable.map((title) => ({ title, answer: useless })),
    ...kinds.map((title) => ({ title, answer: kind })),
    ...[...others].map(([title, answer]) => ({ title, answer })),
  ];
}

/** What a server can say of itself, as hostile-lists.mjs names it, and whether its honest tools can be used all the same. */
export const hostileLists: readonly { readonly title: string; readonly usable: boolean }[] = [
  ...[
    ...['names of the prototype', 'control characters in names', 'entries of every type', 'schemas of every type'],
    ...['6,000 tools', 'one tool many times', 'a cursor of the wrong type', 'pages without end', 'a deep schema'],
    ...['deep annotations', 'a description of 5 MB', 'a name of 1 MB', 'the prototype as a member'],
    ...['an odd introduction', 'hidden characters'],
  ].map((title) => ({ title, usable: true })),
  ...[
    ...['no answer to the list', 'no list in the answer', 'a result of null for the list', 'capabilities of null'],
    ...['capabilities in the prototype', 'a version that is no text', 'a deep version'],
  ].map((title) => ({ title, usable: false })),
];
