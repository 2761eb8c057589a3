/** Reads `limits` of the file: how much clients and servers may use. */

import { type Member, valuePlace } from '../document/json-node.ts';
import { defaultLimits, fillLimits, type Limits, limitsShape } from '../model/schema-limits.ts';
import { openObject, toKind } from './read.ts';
import type { Reading } from './read-text.ts';

export function readLimits(member: Member | undefined, reading: Reading): Limits {
  if (member === undefined) return defaultLimits;
  if (member.node.type !== 'object') {
    reading.report.error('WB1405', valuePlace(member), `limits must be an object, not ${toKind(member.node)}`);
    return defaultLimits;
  }
  const fields = openObject(limitsShape, member.node, member.path, reading, { what: '"limits"' });
  return fillLimits((key) => fields.read(key));
}
