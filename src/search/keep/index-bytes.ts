/**
 * An index as bytes, and back: a line of JSON with names and lengths, then the arrays as they lie in memory. The file may hold
 * anything, so every number that is used as a place is checked.
 */
import { findList, findMember, findString, isObject, type Json, type JsonObject } from '../../base/json/json.ts';
import type { IndexVectors } from '../index/index-vectors.ts';
import type { ToolIndex } from '../index/tool-index.ts';

export interface FoundIndex {
  readonly index: ToolIndex;
  /** What it was made of. */
  readonly fullKey: string;
}

/** Raised when older files cannot be read any more, or when the same tools would be counted in another way. */
export const indexFormat = 2;

const alignment = 8;

const layout = [
  ['toolServers', Uint32Array],
  ['idf', Float32Array],
  ['starts', Uint32Array],
  ['postedTools', Uint32Array],
  ['postedWeights', Float32Array],
  ['nameStarts', Uint32Array],
  ['nameTerms', Uint32Array],
  ['serverStarts', Uint32Array],
  ['serverTerms', Uint32Array],
  ['verbs', Uint8Array],
  ['wordTerms', Uint32Array],
  ['termRows', Int32Array],
  ['mean', Float32Array],
  ['toolVectors', Int8Array],
] as const;

type Part = (typeof layout)[number][0];

/** The arrays of an index, each with its name. */
type Parts = Pick<ToolIndex, Exclude<Part, 'termRows' | 'mean' | 'toolVectors'>> &
  Pick<IndexVectors, 'termRows' | 'mean'> & { readonly toolVectors: Int8Array };

export function toIndexBytes(index: ToolIndex, fullKey: string): Buffer {
  const { vectors } = index;
  const parts: Parts = {
    ...index,
    termRows: vectors?.termRows ?? new Int32Array(),
    mean: vectors?.mean ?? new Float32Array(),
    toolVectors: vectors?.tools ?? new Int8Array(),
  };
  const head = {
    format: indexFormat,
    fullKey,
    lengths: layout.map(([part]) => parts[part].length),
    unknownIdf: index.unknownIdf,
    littleEndian: isLittleEndian,
    keys: index.keys,
    names: index.toolNames,
    terms: toLines([...index.terms.keys()]),
    words: toLines(index.words),
  };
  const line = Buffer.from(`${JSON.stringify(head)}\n`);
  const pieces: Uint8Array[] = [padded(line, 0x20)];
  for (const [part] of layout) {
    const { buffer, byteOffset, byteLength } = parts[part];
    pieces.push(padded(new Uint8Array(buffer, byteOffset, byteLength), 0));
  }
  return Buffer.concat(pieces);
}

/** Spaces stand after the line, so that the arrays begin at a place that they can be read from. */
function padded(bytes: Uint8Array, filler: number): Uint8Array {
  const more = (alignment - (bytes.length % alignment)) % alignment;
  if (more === 0) return bytes;
  const whole = new Uint8Array(bytes.length + more).fill(filler);
  whole.set(bytes);
  return whole;
}

const isLittleEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

/** Undefined when the bytes are not an index. */
export function parseIndexBytes(bytes: Buffer): FoundIndex | undefined {
  const end = bytes.indexOf(0x0a);
  const head = end < 0 ? undefined : parseHead(bytes.toString('utf8', 0, end));
  const fullKey = head && findString(head, 'fullKey');
  if (head === undefined || fullKey === undefined) return undefined;
  const parts = readParts(bytes, end + 1, findList(head, 'lengths'));
  const unknownIdf = findMember(head, 'unknownIdf');
  if (parts === undefined || typeof unknownIdf !== 'number') return undefined;
  const keys = toStrings(findList(head, 'keys'));
  const toolNames = toStrings(findList(head, 'names'));
  const terms = fromLines(findString(head, 'terms') ?? '');
  const words = fromLines(findString(head, 'words') ?? '');
  const { termRows, mean, toolVectors: tools, ...arrays } = parts;
  const dimensions = mean.length;
  const index = { keys, toolNames, words, unknownIdf, terms: new Map(terms.map((term, at) => [term, at])), ...arrays };
  const vectors = dimensions === 0 ? {} : { vectors: { dimensions, termRows, mean, tools } };
  const isUsable = isSound(index) && (dimensions === 0 || isSoundBeside(index, parts));
  return isUsable ? { index: { ...index, ...vectors }, fullKey } : undefined;
}

function parseHead(line: string): JsonObject | undefined {
  try {
    const head: unknown = JSON.parse(line);
    if (!isObject(head) || findMember(head, 'format') !== indexFormat) return undefined;
    return findMember(head, 'littleEndian') === isLittleEndian ? head : undefined;
  } catch {
    return undefined;
  }
}

function readParts(bytes: Buffer, start: number, lengths: readonly Json[]): Parts | undefined {
  // The arrays can be read in place only where memory is aligned.
  const own = bytes.byteOffset % alignment === 0 ? bytes : Buffer.from(new Uint8Array(bytes).buffer);
  const parts: Partial<Record<Part, unknown>> = {};
  let at = Math.ceil(start / alignment) * alignment;
  for (const [place, [part, Kind]] of layout.entries()) {
    const length = lengths[place];
    if (typeof length !== 'number' || !Number.isSafeInteger(length) || length < 0) return undefined;
    const size = length * Kind.BYTES_PER_ELEMENT;
    if (at + size > own.length) return undefined;
    parts[part] = new Kind(own.buffer as ArrayBuffer, own.byteOffset + at, length);
    at = Math.ceil((at + size) / alignment) * alignment;
  }
  return parts as Parts;
}

/** One text is read faster than a list of many. Words and terms have no line ends. */
function toLines(words: readonly string[]): string {
  return words.join('\n');
}

function fromLines(text: string): string[] {
  return text === '' ? [] : text.split('\n');
}

function toStrings(list: readonly Json[]): string[] {
  return list.map((value) => (typeof value === 'string' ? value : ''));
}

/** Whether all places are within their arrays, and all numbers are numbers. */
function isSound(index: ToolIndex): boolean {
  const tools = index.toolNames.length;
  const terms = index.terms.size;
  return (
    index.toolServers.length === tools &&
    index.verbs.length === tools &&
    index.idf.length === terms &&
    index.wordTerms.length === index.words.length &&
    index.postedWeights.length === index.postedTools.length &&
    isStarts(index.starts, terms, index.postedTools.length) &&
    isStarts(index.nameStarts, tools, index.nameTerms.length) &&
    isStarts(index.serverStarts, index.keys.length, index.serverTerms.length) &&
    isBelow(index.serverTerms, terms) &&
    isBelow(index.toolServers, index.keys.length) &&
    isBelow(index.postedTools, tools) &&
    isBelow(index.nameTerms, terms) &&
    isBelow(index.wordTerms, terms) &&
    isPositive(index.postedWeights) &&
    isPositive(index.idf) &&
    Number.isFinite(index.unknownIdf)
  );
}

function isSoundBeside(index: ToolIndex, { termRows, mean, toolVectors }: Parts): boolean {
  return (
    termRows.length === index.terms.size &&
    toolVectors.length === index.toolNames.length * mean.length &&
    mean.every((value) => Number.isFinite(value))
  );
}

function isStarts(starts: Uint32Array, count: number, end: number): boolean {
  if (starts.length !== count + 1 || starts[0] !== 0 || starts[count] !== end) return false;
  for (let at = 0; at < count; at++) if ((starts[at] as number) > (starts[at + 1] as number)) return false;
  return true;
}

function isBelow(places: Uint32Array, end: number): boolean {
  for (let at = 0; at < places.length; at++) if ((places[at] as number) >= end) return false;
  return true;
}

/** Not negative, not endless, not NaN. */
function isPositive(values: Float32Array): boolean {
  for (let at = 0; at < values.length; at++) {
    const value = values[at] as number;
    if (!(value >= 0 && value < 1e6)) return false;
  }
  return true;
}
