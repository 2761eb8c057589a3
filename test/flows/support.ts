/** What the flows share: one way to ask the built program whatever the era of the client, and to read its answers. */
import { existsSync, readFileSync } from 'node:fs';
import { isObject, type JsonObject } from '../../src/base/json/json.ts';
import { type Envelope, withEnvelope } from '../support/envelope.ts';
import { type ProgramOptions, startProgram } from '../support/program.ts';
import type { RawClient, RequestOptions } from '../support/raw-client.ts';

export type Era = 'legacy' | 'modern';
export const eras: readonly Era[] = ['legacy', 'modern'];
/** Era of the client, era of the server. */
export const combinations: [Era, Era][] = eras.flatMap((client) => eras.map((server): [Era, Era] => [client, server]));

export type AskOptions = RequestOptions & Pick<Envelope, 'logLevel' | 'progressToken'>;
export type PostOptions = AskOptions & { readonly id: string | number };

export interface EraClient extends RawClient {
  readonly era: Era;
  /** A request in the client's era; gives the whole answer. */
  ask(method: string, params?: JsonObject, options?: AskOptions): Promise<JsonObject>;
  call(name: string, args?: JsonObject, options?: AskOptions): Promise<JsonObject>;
  /** A request that nobody waits for, because it may never be answered. */
  post(method: string, params: JsonObject, options: PostOptions): void;
  /** Names of all pages, one after the other. */
  names(): Promise<string[]>;
  /** Notifications of one method, so far. */
  heard(method: string): JsonObject[];
}

export const listChanged = 'notifications/tools/list_changed';

/** The built program with a client of one era, ready to be asked. */
export async function startEra(era: Era, options: ProgramOptions): Promise<EraClient> {
  const raw = startProgram(options);
  if (era === 'legacy') await raw.legacyHandshake();
  return toEraClient(era, raw);
}

export function toEraClient(era: Era, raw: RawClient): EraClient {
  const dress = (params: JsonObject, options: AskOptions): JsonObject => {
    if (era === 'modern') return withEnvelope(params, options);
    const { progressToken } = options;
    if (progressToken === undefined) return params;
    return { ...params, _meta: { progressToken, ...(isObject(params._meta) ? params._meta : {}) } };
  };
  const client: EraClient = Object.assign(Object.create(raw) as RawClient, {
    era,
    async ask(method: string, params: JsonObject = {}, options: AskOptions = {}) {
      return (await raw.request(method, dress(params, options), options)).message;
    },
    call: (name: string, args: JsonObject = {}, options: AskOptions = {}) =>
      client.ask('tools/call', { name, arguments: args }, options),
    post(method: string, params: JsonObject, options: PostOptions) {
      raw.send(JSON.stringify({ jsonrpc: '2.0', id: options.id, method, params: dress(params, options) }));
    },
    names: async () => (await pagesOf(client)).flat(),
    heard: (method: string) =>
      raw.messages
        .filter(({ message }) => message.method === method)
        .map(({ message }) => message.params as JsonObject),
  });
  return client;
}

/** The names on each page of the list. */
export async function pagesOf(client: EraClient): Promise<string[][]> {
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const page = resultOf(await client.ask('tools/list', cursor === undefined ? {} : { cursor }));
    pages.push((page.tools as JsonObject[]).map(({ name }) => String(name)));
    cursor = page.nextCursor as string | undefined;
  } while (cursor !== undefined);
  return pages;
}

export function resultOf(message: JsonObject): JsonObject {
  if (!isObject(message.result)) throw new Error(`no result: ${JSON.stringify(message)}`);
  return message.result;
}

export function errorOf(message: JsonObject): JsonObject {
  if (!isObject(message.error)) throw new Error(`no error: ${JSON.stringify(message)}`);
  return message.error;
}

/** The text of the first content block. */
export function textOf(message: JsonObject): string {
  const [block] = resultOf(message).content as JsonObject[];
  return String(block?.text);
}

/** What a fixture appended to a file, line by line; nothing when it has not written yet. */
export function linesOf(file: string): string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
}

/** Long enough for what must not come to have come. */
export const aMoment = (ms = 200) => new Promise<void>((resolve) => setTimeout(resolve, ms));
