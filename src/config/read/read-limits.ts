/** Reads `limits` of the file: how much clients and servers may use. */

import type { Member } from '../document/json-node.ts';
import { defaultLimits, fillLimits, type Limits, limitsShape } from '../model/schema-limits.ts';
import { isObjectMember, openObject } from './read.ts';
import type { Reading } from './read-text.ts';

export function readLimits(member: Member | undefined, reading: Reading): Limits {
  if (member === undefined) return defaultLimits;
  if (!isObjectMember(member, 'limits', reading)) return defaultLimits;
  const fields = openObject(limitsShape, member.node, member.path, reading, { what: '"limits"' });
  return fillLimits((key) => fields.read(key));
}
