/** What an index was made of, as a short text: the same text means the same tools with the same words. */
import { findString, isObject, type Json, type JsonObject } from '../../base/json/json.ts';
import type { SearchedServer } from '../index/segment.ts';
import type { Pause } from '../index/slices.ts';

/**
 * The key that a file is found by. It is made before the first search of a run, so it reads only the beginning of each text: two
 * catalogs may have the same, and `toFullKey` tells them apart.
 */
export function toQuickKey(servers: readonly SearchedServer[], tables: string): string {
  const hash = createHash();
  hash.take(tables);
  for (const server of sorted(servers)) {
    takeServer(server, hash);
    for (const { name, definition } of server.tools) {
      hash.take(name);
      takeBeginning(definition, hash);
    }
  }
  return hash.finish();
}

/** The key of everything that was counted. */
export async function toFullKey(servers: readonly SearchedServer[], tables: string, pause: Pause): Promise<string> {
  const hash = createHash();
  hash.take(tables);
  for (const server of sorted(servers)) {
    takeServer(server, hash);
    for (const { name, definition } of server.tools) {
      hash.take(name);
      takeJson(definition, hash);
      await pause();
    }
  }
  return hash.finish();
}

function sorted(servers: readonly SearchedServer[]): SearchedServer[] {
  return [...servers].sort((a, b) => (a.key < b.key ? -1 : 1));
}

function takeServer({ key, names, about, tools }: SearchedServer, hash: Hash): void {
  hash.take(key);
  for (const name of names) hash.take(name);
  hash.take(about);
  hash.take(`${tools.length}`);
}

const beginning = 16;

function takeBeginning(definition: JsonObject, hash: Hash): void {
  const description = findString(definition, 'description') ?? '';
  hash.take(description.slice(0, beginning));
  hash.takeNumber(description.length);
}

function takeJson(value: Json | undefined, hash: Hash): void {
  if (typeof value === 'string') hash.take(value);
  else if (Array.isArray(value)) for (const member of value) takeJson(member, hash);
  else if (isObject(value))
    for (const key in value) {
      hash.take(key);
      takeJson(value[key], hash);
    }
}

interface Hash {
  take(text: string): void;
  takeNumber(value: number): void;
  finish(): string;
}

/**
 * Two sums after G. Fowler, L. C. Noll and K.-P. Vo, with different factors. They need not withstand an attack: a server that makes
 * two of its lists look the same is found by the words of the older one, and no other server is.
 */
function createHash(): Hash {
  let one = 0x811c9dc5;
  let two = 0x9747b28c;
  const takeNumber = (value: number) => {
    one = Math.imul(one ^ value, 0x01000193);
    two = Math.imul(two ^ value, 0x85ebca6b) ^ (two >>> 13);
  };
  return {
    takeNumber,
    take(text) {
      // The length stands before the text, so that `ab`, `c` is not `a`, `bc`.
      takeNumber(text.length);
      for (let at = 0; at < text.length; at++) {
        const code = text.charCodeAt(at);
        one = Math.imul(one ^ code, 0x01000193);
        two = Math.imul(two ^ code, 0x85ebca6b) ^ (two >>> 13);
      }
    },
    finish: () => `${toHex(one)}${toHex(two)}`,
  };
}

function toHex(sum: number): string {
  return (sum >>> 0).toString(16).padStart(8, '0');
}
