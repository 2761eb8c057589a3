// @module-tag chance
import { describeProfiles } from './describe-profiles.ts';

describeProfiles([
  'many clients of servers that fail',
  'one handshake client at a pipe',
  'one stateless client at a pipe',
]);
