/** Reads `results` of the file: how long results of tools may be. */
import { defined } from '../../base/json/defined.ts';
import type { Member } from '../document/json-node.ts';
import type { ResultSettings } from '../model/config.ts';
import { resultsShape } from '../model/schema.ts';
import { isObjectMember, openObject } from './read.ts';
import type { Reading } from './read-text.ts';

export function readResults(member: Member | undefined, reading: Reading): ResultSettings | undefined {
  if (member === undefined || !isObjectMember(member, 'results', reading)) return undefined;
  const fields = openObject(resultsShape, member.node, member.path, reading, { what: '"results"' });
  return defined({ maxTokens: fields.read('maxTokens') });
}
