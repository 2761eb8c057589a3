/** Content of a result that is not text: finds it, describes it in a line, or writes it to a file under a name of ours. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../../base/errors/code-of.ts';
import { findMember, findString, isObject } from '../../base/json/json.ts';
import { type Json, type JsonObject, toPrintable, WorkbenchError } from '../../index.ts';

export interface Binary {
  readonly mimeType: string;
  readonly bytes: Buffer;
}

/** An image, audio, or a resource that is not text. */
export function findBinary(block: Json): Binary | undefined {
  if (!isObject(block)) return undefined;
  const resource = findMember(block, 'resource');
  if (findString(block, 'type') === 'resource') return isObject(resource) ? toBinary(resource, 'blob') : undefined;
  return toBinary(block, 'data');
}

function toBinary(holder: JsonObject, key: 'blob' | 'data'): Binary | undefined {
  const text = findString(holder, key);
  if (text === undefined) return undefined;
  return { mimeType: findString(holder, 'mimeType') ?? 'unknown type', bytes: Buffer.from(text, 'base64') };
}

export function describeBinary({ mimeType, bytes }: Binary): string {
  return `${toPrintable(mimeType, 80)}, ${bytes.length} bytes`;
}

const endings = new Map([
  ['image/png', 'png'],
  ['image/jpeg', 'jpg'],
  ['image/gif', 'gif'],
  ['image/webp', 'webp'],
  ['audio/wav', 'wav'],
  ['audio/x-wav', 'wav'],
  ['audio/mpeg', 'mp3'],
  ['audio/ogg', 'ogg'],
  ['video/mp4', 'mp4'],
  ['application/pdf', 'pdf'],
  ['application/zip', 'zip'],
  ['application/json', 'json'],
  ['text/plain', 'txt'],
]);

export interface SaveFolder {
  /** Returns the path. */
  save(content: Binary): string;
}

/** Throws when the folder cannot be used. Existing files are never overwritten. */
export function openSaveFolder(folder: string, now: Date): SaveFolder {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw failed(`The folder ${folder} cannot be created`, error);
  }
  const stamp = now.toISOString().replace(/[-:]|\..*/g, '');
  let count = 0;
  return {
    save({ mimeType, bytes }) {
      const [plain = ''] = mimeType.split(';');
      // None of our file extensions makes the file executable, and no part of the name comes from the server.
      const ending = endings.get(plain.trim().toLowerCase()) ?? 'bin';
      for (;;) {
        const path = join(folder, `${stamp}-${++count}.${ending}`);
        try {
          writeFileSync(path, bytes, { flag: 'wx', mode: 0o600 });
          return path;
        } catch (error) {
          if (codeOf(error) !== 'EEXIST') throw failed(`The file ${path} cannot be written`, error);
        }
      }
    },
  };
}

function failed(what: string, error: unknown): WorkbenchError {
  return new WorkbenchError('WB1915', `${what} (${codeOf(error)}).`);
}
