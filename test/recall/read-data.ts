/** The labelled data: tools of real servers, queries, and which tools are right for them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import type { JsonObject } from '../../src/base/json/json.ts';
import { buildItemList } from '../../src/catalog/listing.ts';
import { defaultLimits } from '../../src/config/model/schema-limits.ts';
import type { SearchedServer } from '../../src/search/tool-search.ts';

export interface GoldTool {
  readonly server: string;
  readonly name: string;
}

export interface LabelledQuery {
  readonly id: string;
  readonly query: string;
  /** Each need is one tool, or any of several. */
  readonly gold: readonly (GoldTool | { readonly anyOf: readonly GoldTool[] })[];
}

export interface RecordedServer {
  readonly server: string;
  readonly package: string;
  readonly version: string;
  readonly license: string;
  readonly serverInfo: { readonly title?: string; readonly description?: string };
  readonly instructions?: string;
  readonly tools: readonly JsonObject[];
}

export const querySets = {
  agent: 'intents-agent.jsonl',
  user: 'intents-user.jsonl',
  typo: 'intents-typo.jsonl',
  single: 'metatool-single.jsonl.br',
  two: 'metatool-two.jsonl.br',
} as const;
export type QuerySet = keyof typeof querySets;

/** Requests that none of the servers can serve. */
export const readStrangers = (folder: string) => readLines<{ readonly query: string }>(folder, 'intents-none.jsonl');

export const readQueries = (folder: string, set: QuerySet) => readLines<LabelledQuery>(folder, querySets[set]);

export const readRecorded = (folder: string) => readLines<RecordedServer>(folder, 'catalogs.jsonl.br');

/** The servers as the workbench gives them to the search. */
export function readServers(folder: string): SearchedServer[] {
  return readRecorded(folder).map(({ server, serverInfo, instructions = '', tools }) => ({
    key: server,
    names: [server],
    about: [serverInfo.title, serverInfo.description, instructions.slice(0, 300)].filter(Boolean).join('. '),
    tools: buildItemList('tools', [...tools], { limits: defaultLimits }).items,
  }));
}

/** One server with the tools of MetaTool: a name and a sentence each. */
export function readMetaTool(folder: string): SearchedServer[] {
  const lines = readLines<{ readonly name: string; readonly description: string }>(folder, 'metatool-tools.jsonl.br');
  const tools = lines.map(({ name, description }) => ({ name, description, inputSchema: { type: 'object' } }));
  const { items } = buildItemList('tools', tools, { limits: defaultLimits });
  return [{ key: 'metatool', names: ['metatool'], about: '', tools: items }];
}

function readLines<T>(folder: string, name: string): T[] {
  const bytes = readFileSync(join(folder, name));
  const text = (name.endsWith('.br') ? brotliDecompressSync(bytes) : bytes).toString('utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T);
}
