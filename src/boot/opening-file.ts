/** The bytes of a kept opening: one line of JSON that says what it is, and the answers behind it as they are written to a client. */
import { findMember, type Json, type JsonObject, parseObject } from '../base/json.ts';

/** Questions without their ids, in their order, each with what stands in its answer behind the id, to the end of the line. */
export type Answers = ReadonlyMap<string, Buffer>;

export interface OpeningFile {
  /** What must be the same for the answers to hold, in one text: by the stamps of files, or else by their contents. */
  readonly basis: string;
  readonly contentBasis: string;
  /** Which files and variables these texts are made of. */
  readonly files: readonly string[];
  readonly variables: readonly string[];
  readonly savedAt: number;
  /** They are not given after this time. */
  readonly until: number;
  readonly answers: Answers;
}

/** How an answer begins, up to its id. */
export const answerHead = '{"jsonrpc":"2.0","id":';

const newline = 0x0a;
const closing = Buffer.from('}\n');

export function toBytes({ answers, ...head }: OpeningFile): Buffer {
  const lengths = [...answers].map(([question, { length }]) => [question, length]);
  return Buffer.concat([Buffer.from(`${JSON.stringify({ ...head, answers: lengths })}\n`), ...answers.values()]);
}

/** Undefined for anything else than all of what `toBytes` gives. */
export function readOpening(bytes: Buffer): OpeningFile | undefined {
  const end = bytes.indexOf(newline);
  const head = end < 0 ? undefined : parseObject(bytes.toString('utf8', 0, end));
  const answers = head && readAnswers(findMember(head, 'answers'), bytes.subarray(end + 1));
  if (head === undefined || answers === undefined) return undefined;
  const { basis, contentBasis, savedAt, until } = head;
  const files = toTexts(head, 'files');
  const variables = toTexts(head, 'variables');
  if (typeof basis !== 'string' || typeof contentBasis !== 'string') return undefined;
  if (typeof savedAt !== 'number' || typeof until !== 'number') return undefined;
  return files && variables && { basis, contentBasis, files, variables, savedAt, until, answers };
}

function readAnswers(lengths: Json | undefined, bytes: Buffer): Answers | undefined {
  if (!Array.isArray(lengths)) return undefined;
  const answers = new Map<string, Buffer>();
  let at = 0;
  for (const entry of lengths) {
    const [question, length] = Array.isArray(entry) ? entry : [];
    if (typeof question !== 'string' || typeof length !== 'number') return undefined;
    const answer = bytes.subarray(at, at + length);
    // A file that was not written to its end has zeros there.
    if (!answer.subarray(-closing.length).equals(closing)) return undefined;
    answers.set(question, answer);
    at += length;
  }
  return at === bytes.length ? answers : undefined;
}

function toTexts(head: JsonObject, name: string): string[] | undefined {
  const value = findMember(head, name);
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : undefined;
}
