/** A digest of the params of a call, the same in any order of their members: it tells whether a call is the same again. */
import { createHash } from 'node:crypto';
import { isObject, type Json, type JsonObject, withoutMembers } from '../../base/json/json.ts';

/** What a client may change when it repeats a call. */
const roundKeys = ['_meta', 'inputResponses', 'requestState'];

export function digestParams(params: JsonObject): string {
  const hash = createHash('sha256');
  // Not by recursion: how deep it is nested is the client's choice.
  const rest: ({ readonly value: Json } | { readonly text: string })[] = [{ value: withoutMembers(params, roundKeys) }];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    if ('text' in next) hash.update(next.text);
    else if (Array.isArray(next.value)) {
      hash.update('[');
      rest.push({ text: ']' });
      for (const item of next.value.toReversed()) rest.push({ text: ',' }, { value: item });
    } else if (isObject(next.value)) {
      hash.update('{');
      rest.push({ text: '}' });
      for (const key of Object.keys(next.value).sort().reverse())
        rest.push({ text: ',' }, { value: next.value[key] as Json }, { text: `${JSON.stringify(key)}:` });
    } else hash.update(JSON.stringify(next.value));
  }
  return hash.digest('base64url');
}
