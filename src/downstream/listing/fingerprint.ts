/** Identifies a server from one run to the next. What it was made of cannot be read back. */
import { createHash, createHmac } from 'node:crypto';
import { memoize } from '../../base/async/memoize.ts';
import { memoizeInTurn } from '../../base/async/memoize-in-turn.ts';
import type { JsonObject } from '../../base/json/json.ts';
import type { ServerDefinition } from '../../config/model/config.ts';
import { fileVersion } from '../../state/file-version.ts';
import { listProgramFiles, systemFileLookup } from '../process/program-files.ts';

/** The version of the program or the address. Values of variables and headers may be secrets and do not count. Asked for with every call. */
export const fingerprint = memoize(({ transport }: ServerDefinition): string => {
  const identity =
    transport.kind === 'stdio'
      ? [transport.command, transport.args, transport.cwd, Object.keys(transport.env).sort()]
      : [transport.url, transport.variant, Object.keys(transport.headers).sort()];
  return shorten(createHash('sha256').update(JSON.stringify(identity)).digest('hex'));
});

/** Whether the server has values that may be secrets: another account is another server, although the program is the same. */
export function hasValues({ transport }: ServerDefinition): boolean {
  return toValues(transport).length > 0;
}

/** The same with those values. It is keyed, so that a guessed secret cannot be checked against a file name. */
export function fingerprintWithValues(definition: ServerDefinition, key: string): string {
  const whole = JSON.stringify([fingerprint(definition), toValues(definition.transport)]);
  return shorten(createHmac('sha256', key).update(whole).digest('hex'));
}

/** The version of a server, as far as its files tell it. */
export function versionOf({ transport }: ServerDefinition): string {
  const files = transport.kind === 'stdio' ? listProgramFiles(transport, systemFileLookup()) : [];
  return JSON.stringify(files.map((path) => [path, versionOfFile(path)]).filter(([, stamp]) => stamp !== undefined));
}

const versionOfFile = memoizeInTurn(fileVersion);

/**
 * What else a listing depends on: the version of the server, and what it was told that its client can do, because many servers
 * show only what the client can use.
 */
export function listingBasis(version: string, declared: JsonObject): string {
  return createHash('sha256')
    .update(JSON.stringify([version, declared]))
    .digest('hex')
    .slice(0, 16);
}

function toValues(transport: ServerDefinition['transport']): [string, string][] {
  const values =
    transport.kind === 'stdio' ? transport.env : { ...transport.headers, ...toTexts(transport.oauth ?? {}) };
  return Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));
}

function toTexts(settings: object): Record<string, string> {
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [`oauth ${name}`, String(value)]));
}

function shorten(digest: string): string {
  return digest.slice(0, 32);
}
