/**
 * Makes the result of a tool fit: texts that are too long are held and replaced by previews with a handle. Images, audio, links
 * and every other member stay as they are. What cannot be held stays whole.
 */
import {
  findList,
  findMember,
  findObject,
  findString,
  isObject,
  type Json,
  type JsonObject,
} from '../base/json/json.ts';
import { memberTexts } from '../base/json/member-texts.ts';
import { RawJson } from '../base/json/raw-json.ts';
import { estimateTokens } from '../base/text/token-estimate.ts';
import { findJson } from './find-json.ts';
import type { HeldText } from './held-text.ts';
import { JsonScan } from './json-scan.ts';
import { previewJson, previewText } from './preview.ts';
import type { ResultText } from './result-store.ts';
import { toResultUri } from './result-uri.ts';

export interface FitOptions {
  readonly maxTokens: number;
  /** The client was shown an output schema, against which it checks the structured content: that stays whole. */
  readonly keepsStructured: boolean;
  /** The name of the tool, for people. */
  readonly name: string;
  hold(part: ResultText): { readonly handle: string; readonly held: HeldText } | undefined;
  drop(handle: string): void;
}

/** A preview takes this share of the tokens that a result may have. */
const previewShare = 0.25;
/** Small texts beside a long one stay as they are, up to this share. */
const smallShare = 0.5;
/** Further long texts of one result are held together. */
const maxPreviews = 8;
/** A shorter preview says little. */
const minPreview = 250;
/** Longer texts are not read as JSON for a preview: that would hold up all clients. A path can still select from them. */
const maxParsed = 4 * 1_024 * 1_024;
const maxIndented = 8;
/** A text of this many characters per token is too long without being looked at. */
const surelyLong = 8;

/** One text of a result. */
interface Part {
  /** The block of `content` that it is in; undefined for the structured content. */
  readonly block: number | undefined;
  readonly text: string;
  readonly tokens: number;
  /** The value that the text is JSON of, where that is known. */
  readonly value?: Json | undefined;
  /** Structured content that says the same as this text is held or kept with it. */
  readonly repeats?: Part | undefined;
}

export function fitResult(result: RawJson, options: FitOptions): RawJson {
  const parts = toParts(result, options);
  const total = parts.reduce((sum, { tokens }) => sum + tokens, 0);
  if (total <= options.maxTokens) return result;
  const long = findLong(parts, options.maxTokens);
  const holding = hold(result, long, options);
  return holding === undefined ? result : replace(result, holding);
}

/** The texts that count, each once: structured content that repeats a text is not counted again. */
function toParts(result: RawJson, { maxTokens, keepsStructured }: FitOptions): Part[] {
  const measure = (text: string) =>
    text.length > maxTokens * surelyLong ? Math.ceil(text.length / 4) : estimateTokens(text);
  const parts: Part[] = findList(result.value, 'content').flatMap((block, index) => {
    const text = isObject(block) ? findBlockText(block) : undefined;
    return text === undefined ? [] : [{ block: index, text, tokens: measure(text) }];
  });
  const structured = findMember(result.value, 'structuredContent');
  if (structured === undefined || keepsStructured) return parts;
  const text = toOwnText(result, 'structuredContent');
  const repeats = findRepeated(structured, text, parts);
  const tokens = repeats === undefined ? measure(text) : 0;
  const known = parts.map((part) => (part === repeats ? { ...part, value: structured } : part));
  const repeated = repeats && known[parts.indexOf(repeats)];
  return [...known, { block: undefined, text, value: structured, repeats: repeated, tokens }];
}

function findBlockText(block: JsonObject): string | undefined {
  const type = findMember(block, 'type');
  if (type === 'text') return findString(block, 'text');
  return type === 'resource' ? findString(findObject(block, 'resource') ?? {}, 'text') : undefined;
}

/** The text of a member as the server wrote it, copied: a part of the message would keep all of it in memory. */
function toOwnText(result: RawJson, key: string): string {
  const text = memberTexts(result.text).findLast((member) => member.key === key)?.value ?? 'null';
  return Buffer.from(text, 'utf16le').toString('utf16le');
}

function findRepeated(structured: Json, written: string, parts: readonly Part[]): Part | undefined {
  const same = parts.find((part) => part.text === written);
  if (same !== undefined || written.length > maxParsed) return same;
  const text = JSON.stringify(structured);
  return parts.find((part) => {
    // Written with indents, the same value takes a few times as many characters.
    if (part.text.length < text.length || part.text.length > text.length * maxIndented) return false;
    const value = findJson(part.text, maxParsed);
    return value !== undefined && JSON.stringify(value) === text;
  });
}

/** The texts to hold: all but the small ones that fit beside the previews. */
function findLong(parts: readonly Part[], maxTokens: number): readonly Part[] {
  let room = maxTokens * smallShare;
  const small = new Set<Part>();
  for (const part of parts.toSorted((a, b) => a.tokens - b.tokens)) {
    if (part.repeats !== undefined) continue;
    room -= part.tokens;
    if (room < 0) break;
    small.add(part);
  }
  return parts.filter((part) => !small.has(part.repeats ?? part));
}

interface Holding {
  /** What takes the place of each block; nothing for those that are held together. */
  readonly blocks: ReadonlyMap<number, readonly JsonObject[]>;
  /** What is put at the end of the content. */
  readonly added: readonly JsonObject[];
  readonly withoutStructured: boolean;
}

function hold(result: RawJson, long: readonly Part[], options: FitOptions): Holding | undefined {
  const content = findList(result.value, 'content');
  const { single, together } = split(long, options.maxTokens * previewShare);
  const maxTokens = Math.floor((options.maxTokens * previewShare) / (single.length + Math.min(1, together.length)));
  const handles: string[] = [];
  const keep = (part: ResultText): { readonly handle: string; readonly held: HeldText } | undefined => {
    const kept = options.hold(part);
    if (kept !== undefined) handles.push(kept.handle);
    return kept;
  };
  const blocks = new Map<number, readonly JsonObject[]>();
  const previews: JsonObject[] = [];
  const links: JsonObject[] = [];
  const giveUp = () => {
    for (const handle of handles) options.drop(handle);
    return undefined;
  };

  for (const { block: index, text, value = findJson(text, maxParsed) } of single) {
    const block = index === undefined ? undefined : (content[index] as JsonObject);
    const named = describeText(block, value, options.name);
    const kept = keep({ text, ...named });
    if (kept === undefined) return giveUp();
    const what = index === undefined ? 'The structured content of this result' : named.what;
    const preview = { handle: kept.handle, what, maxTokens };
    const shown = value === undefined ? previewText(kept.held, preview) : previewJson(kept.held, value, preview);
    links.push(toLink(kept.handle, text, named, block));
    if (index === undefined) previews.push({ type: 'text', text: shown });
    else blocks.set(index, [toTextBlock(block ?? {}, shown)]);
  }
  if (together.length > 0) {
    const indexes = together.flatMap(({ block }) => block ?? []);
    const values = [
      ...indexes.map((index) => content[index] as Json),
      ...(together.length > indexes.length
        ? [{ structuredContent: findMember(result.value, 'structuredContent') ?? null }]
        : []),
    ];
    const text = JSON.stringify(values);
    const named = { name: options.name, mimeType: 'application/json' };
    const kept = keep({ text, ...named });
    if (kept === undefined) return giveUp();
    for (const index of indexes) blocks.set(index, []);
    const what = `The rest of this result (${values.length} blocks of content)`;
    previews.push({ type: 'text', text: previewJson(kept.held, values, { handle: kept.handle, what, maxTokens }) });
    links.push(toLink(kept.handle, text, named, undefined));
  }
  return { blocks, added: [...previews, ...links], withoutStructured: long.some(({ block }) => block === undefined) };
}

/** Which texts get a preview of their own, and which are held together because they are many or short. */
function split(long: readonly Part[], room: number) {
  const own = long.filter(({ repeats }) => repeats === undefined);
  const most = Math.max(1, Math.min(maxPreviews, Math.floor(room / minPreview)));
  const worth = own.filter(({ tokens }) => tokens > (2 * room) / most);
  const fewest = own.length === worth.length && own.length <= most ? most : most - 1;
  const longest = new Set(worth.sort((a, b) => b.tokens - a.tokens).slice(0, fewest));
  return {
    single: own.filter((part) => longest.has(part)),
    together: own.filter((part) => !longest.has(part)),
  };
}

function describeText(block: JsonObject | undefined, value: Json | undefined, name: string) {
  const resource = block === undefined ? undefined : findObject(block, 'resource');
  const mimeType = value === undefined ? 'text/plain' : 'application/json';
  if (resource === undefined) return { what: 'This text of the result', name, mimeType };
  const uri = findString(resource, 'uri') ?? name;
  return {
    what: `The resource ${uri.slice(0, 200)}`,
    name: uri,
    mimeType: findString(resource, 'mimeType') ?? mimeType,
  };
}

/** An embedded resource becomes a text: under its own URI, a part of it would pass for the whole. */
function toTextBlock(block: JsonObject, text: string): JsonObject {
  if (findMember(block, 'type') === 'text') return { ...block, text };
  const { resource: _, ...others } = block;
  return { ...others, type: 'text', text };
}

function toLink(
  handle: string,
  text: string,
  { name, mimeType }: { readonly name: string; readonly mimeType: string },
  block: JsonObject | undefined,
): JsonObject {
  const { text: _, ...resource } = (block && findObject(block, 'resource')) ?? {};
  const size = Buffer.byteLength(text);
  return {
    ...resource,
    type: 'resource_link',
    uri: toResultUri(handle),
    name,
    title: 'The whole text',
    mimeType,
    size,
  };
}

/** Blocks and members that are not replaced keep their text. */
function replace(result: RawJson, { blocks, added, withoutStructured }: Holding): RawJson {
  const before = findList(result.value, 'content');
  const written = before.length === blocks.size ? [] : findBlockTexts(result);
  const texts = before.flatMap(
    (_, index) => blocks.get(index)?.map((block) => JSON.stringify(block)) ?? [written[index] ?? ''],
  );
  const values = before.flatMap((block, index): Json[] => [...(blocks.get(index) ?? [block])]);
  const text = `[${[...texts, ...added.map((block) => JSON.stringify(block))].join(',')}]`;
  return result.with({
    content: RawJson.ofText(text, [...values, ...added] as unknown as JsonObject),
    ...(withoutStructured ? { structuredContent: undefined } : {}),
  });
}

function findBlockTexts(result: RawJson): string[] {
  const content = memberTexts(result.text).findLast(({ key }) => key === 'content')?.value ?? '[]';
  const scan = new JsonScan(content, Number.POSITIVE_INFINITY);
  return [...scan.children(scan.root())].map(({ start, end }) => content.slice(start, end));
}
