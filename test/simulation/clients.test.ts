// @module-tag chance
import { describeProfiles } from './describe-profiles.ts';

describeProfiles(['many clients of both eras', 'stateless clients of servers that ask much']);
