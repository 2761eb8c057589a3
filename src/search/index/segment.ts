/** The tools of one server as counted terms. Nothing here depends on other servers, so a server that changes is counted again alone. */
import type { Item } from '../../catalog/item.ts';
import { verbsOf } from '../words/verbs.ts';
import type { TermReader } from './term-reader.ts';
import { type Field, fields, toToolText } from './tool-text.ts';

/** What is searched of one server. */
export interface SearchedServer {
  /** The key of its definition. */
  readonly key: string;
  /** Its names, and the names of the toolboxes it is in. */
  readonly names: readonly string[];
  /** What it says of itself: title, description, and the beginning of its instructions. */
  readonly about: string;
  /** The same array as long as nothing changed. */
  readonly tools: readonly Item[];
}

/** Terms of one field of one document: how often each occurs, and how many words there are. */
export interface CountedField {
  readonly field: number;
  readonly terms: Uint32Array;
  readonly counts: Uint8Array;
  readonly length: number;
}

export interface CountedTool {
  readonly name: string;
  readonly fields: readonly CountedField[];
  /** The different terms of its name, for coverage. */
  readonly nameTerms: Uint32Array;
  /** What the verbs of its name do. */
  readonly verbs: number;
}

export interface Segment {
  readonly key: string;
  /** Fields that all tools of the server share. */
  readonly shared: readonly CountedField[];
  readonly tools: readonly CountedTool[];
}

/** Words of a field that are counted. Real tools stay far below; a server gains nothing by more. */
const maxWords: Readonly<Record<Field, number>> = {
  name: 24,
  server: 12,
  head: 80,
  rest: 700,
  parameters: 300,
  parameterDocs: 1_200,
  about: 120,
};
const maxAboutLength = 800;
/** How far the description is looked at for what a tool does: a name such as `post` or `create` often hides it. */
const verbWords = 10;

export function countShared(server: SearchedServer, reader: TermReader): CountedField[] {
  return textsOfServer(server).map(([field, texts]) => countField(field, texts, reader));
}

export function countTool(item: Item, reader: TermReader): CountedTool {
  const counted = textsOfItem(item).map(([field, texts]) => countField(field, texts, reader));
  const nameTerms = counted[0]?.terms ?? new Uint32Array();
  const stemsOf = (terms: Uint32Array) => Array.from(terms, (term) => reader.vocabulary.terms[term] ?? '');
  const inName = verbsOf(stemsOf(nameTerms));
  const inHead = verbsOf(stemsOf((counted[1]?.terms ?? nameTerms).subarray(0, verbWords)));
  const verbs = inName === 0 ? 0 : inName | inHead;
  return { name: item.name, fields: counted.filter(({ length }) => length > 0), nameTerms, verbs };
}

type FieldTexts = readonly (readonly [Field, readonly string[]])[];

/** All texts that a tool can be found by. */
export function textsOfTool(server: SearchedServer, item: Item): FieldTexts {
  return [...textsOfItem(item), ...textsOfServer(server)];
}

function textsOfServer({ names, about }: SearchedServer): FieldTexts {
  return [
    ['server', [...new Set(names)]],
    ['about', [about.slice(0, maxAboutLength)]],
  ];
}

function textsOfItem(item: Item): FieldTexts {
  const { name, head, rest, parameters, parameterDocs } = toToolText(item);
  return [
    ['name', [name]],
    ['head', [head]],
    ['rest', [rest]],
    ['parameters', parameters],
    ['parameterDocs', parameterDocs],
  ];
}

/** Counts the terms of a field. What is over the bound of the field is not read. */
function countField(field: Field, texts: readonly string[], reader: TermReader): CountedField {
  const counter = reader.count(maxWords[field], { joined: field !== 'name', once: field === 'name' });
  for (const text of texts) if (!counter.take(text)) break;
  return { field: fields.indexOf(field), ...counter.finish() };
}
