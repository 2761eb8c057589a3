/** The tool `read_result`, and the same text as a resource: a held result in pages, its matching lines, or values out of it. */
import type { CallOutcome, Client, Outcome } from '../base/call/call.ts';
import type { JsonObject } from '../base/json/json.ts';
import { RawJson } from '../base/json/raw-json.ts';
import { rpcCode, rpcError } from '../base/rpc/rpc.ts';
import { quote } from '../base/text/error-text.ts';
import { grep } from './grep.ts';
import { alignBack, HeldText } from './held-text.ts';
import { selectPath } from './json-path.ts';
import { compactJson, ScanLimit } from './json-scan.ts';
import { describeSize } from './preview.ts';
import { parseReadInput, type ReadInput } from './read-input.ts';
import { type Page, readRange } from './read-range.ts';
import type { ResultStore } from './result-store.ts';
import { parseResultUri, toResultUri } from './result-uri.ts';

export interface ReadResultOptions {
  readonly store: ResultStore;
  readonly client: Client;
  readonly maxTokens: number;
}

/** Tokens of the note beside the text. */
const noteTokens = 80;
const minTokens = 100;
/** One request for a path may look at so many characters, and give back so many. */
const maxScanned = 64 * 1_024 * 1_024;
const maxSelected = 16 * 1_024 * 1_024;
const maxValues = 200_000;
/** A resource is given whole up to this length, a longer one in parts. */
const maxResource = 8 * 1_024 * 1_024;

export async function readResult(input: JsonObject, { store, client, maxTokens }: ReadResultOptions): Promise<Outcome> {
  const parsed = parseReadInput(input);
  if ('problem' in parsed) return failure(parsed.problem);
  const found = await store.find(client, parsed.value.handle);
  if (found === undefined) return failure(unknownText(parsed.value.handle));
  const selected = select(found.held, parsed.value);
  if ('problem' in selected) return failure(selected.problem);
  const room = Math.max(minTokens, maxTokens - noteTokens);
  return parsed.value.grep === undefined
    ? showPage(selected, parsed.value, readRange(selected.held, parsed.value.range ?? wholeRange, room))
    : showMatches(selected, parsed.value, room);
}

/** The whole text as a resource, or a part of it; the rest is named in `_meta`. */
export async function readHeldResource(
  uri: string,
  { store, client }: Pick<ReadResultOptions, 'store' | 'client'>,
): Promise<CallOutcome> {
  const wanted = parseResultUri(uri);
  const found = wanted && (await store.find(client, wanted.handle));
  if (wanted === undefined || found === undefined)
    return { error: rpcError(rpcCode.resourceNotFound, unknownText(uri), { uri }) };
  const { text } = found.held;
  const from = alignBack(text, Math.min(wanted.from, text.length));
  const to = alignBack(text, Math.min(from + maxResource, text.length));
  const next = to < text.length ? { 'dev.mcp-workbench/next': toResultUri(wanted.handle, to) } : undefined;
  const contents = [{ uri, mimeType: found.mimeType, text: text.slice(from, to), ...(next && { _meta: next }) }];
  return { result: RawJson.of({ contents }) };
}

const wholeRange = { unit: 'lines', from: 1 } as const;

interface Selected {
  readonly held: HeldText;
  /** The values that a path has selected; undefined without a path. */
  readonly values: number | undefined;
}

function select(held: HeldText, { path, pathText }: ReadInput): Selected | { readonly problem: string } {
  if (path === undefined) return { held, values: undefined };
  if (!held.isJson)
    return { problem: 'path: This result is not JSON, or too long to be read as JSON. Use range or grep.' };
  try {
    const places = selectPath(held.text, path, { maxScanned, maxValues });
    const characters = places?.reduce((sum, { start, end }) => sum + end - start, 0) ?? 0;
    if (places === undefined || characters > maxSelected)
      return { problem: `path: ${quote(pathText ?? '')} selects too much. Use a narrower path.` };
    const rows = places.map(({ start, end }) => compactJson(held.text.slice(start, end)));
    return { held: new HeldText(rows.join('\n')), values: rows.length };
  } catch (error) {
    if (!(error instanceof ScanLimit)) throw error;
    return { problem: `path: ${quote(pathText ?? '')} takes too long here. Use a path without "..", or grep.` };
  }
}

/** The text stands alone in its block, exactly as it was; what is said about it follows in another. */
function showPage({ held, values }: Selected, { handle, pathText }: ReadInput, page: Page): Outcome {
  const said = [
    values === undefined ? undefined : `${values} value${values === 1 ? '' : 's'} selected, one per line.`,
    held.text.length === 0 && values !== 0 ? 'The text is empty.' : undefined,
    describePage(held, page),
    page.next === undefined ? undefined : `Go on with ${toCall({ handle, pathText, range: page.next })}.`,
  ];
  const note = said.filter((part) => part !== undefined).join(' ');
  const range = { from: page.from, to: page.to, of: held.text.length, ...(page.next && { next: page.next }) };
  return {
    result: RawJson.of({
      content: [
        { type: 'text', text: page.text },
        { type: 'text', text: `[${note}]` },
      ],
      _meta: { 'dev.mcp-workbench/range': range },
    }),
  };
}

function describePage(held: HeldText, { from, to }: Page): string {
  const size = describeSize(held);
  if (from === 0 && to === held.text.length) return `This is all of it: ${size}.`;
  if (from === to) return `There is nothing in this range of ${size}.`;
  const lines = `lines ${held.lineAt(from) + 1} to ${held.lineAt(to - 1) + 1}`;
  return `These are ${lines}, characters ${from} to ${to}, of ${size}.`;
}

async function showMatches({ held, values }: Selected, input: ReadInput, room: number): Promise<Outcome> {
  const { handle, pathText, range, grep: pattern = '' } = input;
  const from = Math.min((range?.from ?? 1) - 1, held.lines);
  const to = Math.min(range?.to ?? held.lines, held.lines);
  const { text, matches, shown, next, literal } = await grep(held, { pattern, from, to, maxTokens: room });
  const rest = next === undefined ? '' : `${next}-${range?.to ?? ''}`;
  const said = [
    values === undefined ? undefined : `${values} value${values === 1 ? '' : 's'} selected, one per line.`,
    `${matches} of ${to - from} lines match${shown < matches ? `; the first ${shown} are shown` : ''}.`,
    literal ? 'The pattern was searched as plain text.' : undefined,
    rest === '' ? undefined : `Go on with ${toCall({ handle, pathText, grep: pattern, range: rest })}.`,
  ];
  const note = { type: 'text', text: `[${said.filter((part) => part !== undefined).join(' ')}]` };
  return { result: RawJson.of({ content: text === '' ? [note] : [{ type: 'text', text }, note] }) };
}

interface Again {
  readonly handle: string;
  readonly pathText?: string | undefined;
  readonly grep?: string;
  readonly range: string;
}

function toCall({ handle, pathText, grep: pattern, range }: Again): string {
  return `read_result ${JSON.stringify({ handle, path: pathText, grep: pattern, range })}`;
}

function unknownText(handle: string): string {
  return `There is no result ${quote(handle)} here (any more): results are kept for the client that got them, for an hour after they were last read, while the Workbench runs. Call the tool again. [WB1840]`;
}

function failure(text: string): Outcome {
  return { result: RawJson.of({ content: [{ type: 'text', text }], isError: true }) };
}
