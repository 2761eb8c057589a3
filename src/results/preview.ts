/** What a client gets of a text that is held: how much there is, how to read the rest, and its beginning and end or its shape. */
import type { Json } from '../base/json/json.ts';
import { estimateTokens } from '../base/text/token-estimate.ts';
import { abbreviate, describeShape } from './abbreviate.ts';
import { fitHead, fitTail } from './fit-text.ts';
import type { HeldText } from './held-text.ts';

export interface PreviewOptions {
  readonly handle: string;
  /** What the text is: `This result`, `The structured content of this result`. */
  readonly what: string;
  readonly maxTokens: number;
}

/** Tokens of the sentences around the content. */
const noteTokens = 130;
const minTokens = 60;
/** The end of a text is shown too, in this share of the room. */
const tailShare = 0.3;
/** Characters of a shape, for each token of the preview. */
const shapeShare = 1.2;

export function previewText(held: HeldText, options: PreviewOptions): string {
  const { text } = held;
  const room = Math.max(minTokens, options.maxTokens - noteTokens);
  const end = fitHead(text, 0, text.length, Math.floor(room * (1 - tailShare)));
  const start = fitTail(text, end, text.length, Math.floor(room * tailShare));
  const isByLine = endsLine(text, end) && endsLine(text, start);
  const [from, to] = isByLine ? [held.lineAt(end) + 1, held.lineAt(start - 1) + 1] : [end, start];
  const range = isByLine ? `${from}-${to}` : `chars ${from}-${to}`;
  const left = isByLine ? `lines ${from} to ${to}` : `characters ${from} to ${to}`;
  const note = `[${options.what} is too long to show: ${describeSize(held)}. Its beginning and end follow. ${howToRead(options.handle, `"range":"${range}"`, 'text')}]`;
  return `${note}\n${withBreak(text.slice(0, end))}[… ${left} left out …]\n${text.slice(start)}`;
}

export function previewJson(held: HeldText, value: Json, options: PreviewOptions): string {
  const shape = describeShape(value);
  const most = Math.max(minTokens, Math.floor(options.maxTokens * shapeShare));
  const shown = shape.length > most ? `${shape.slice(0, most)}…` : shape;
  const room = Math.max(minTokens, options.maxTokens - noteTokens - estimateTokens(shown));
  const first = abbreviate(value, room * 6, (text) => estimateTokens(text) <= room);
  return [
    `[${options.what} is too long to show: JSON, ${describeSize(held)}. Its shape and first entries follow, cut where it says "…". ${howToRead(options.handle, '"path":"$…"', 'JSON')}]`,
    `Shape: ${shown}`,
    first,
  ].join('\n');
}

export function describeSize({ text, lines }: HeldText): string {
  const size = `${text.length} characters`;
  return lines > 1 ? `${size} in ${lines} lines` : size;
}

function howToRead(handle: string, first: string, kind: 'text' | 'JSON'): string {
  const others = kind === 'JSON' ? '"grep" or "range"' : '"grep"';
  return `Read the rest with read_result {"handle":"${handle}",${first}}; or use ${others}.`;
}

function endsLine(text: string, end: number): boolean {
  return text.charCodeAt(end - 1) === 0x0a;
}

function withBreak(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}
