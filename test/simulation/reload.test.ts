// @module-tag chance
import { describeProfiles } from './describe-profiles.ts';

describeProfiles([
  'many clients while the configuration changes',
  'one handshake client while the configuration changes',
]);
