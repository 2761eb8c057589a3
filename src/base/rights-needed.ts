/** A server refuses a call for want of rights that nobody was asked for yet: unlike other refusals, a sign-in helps. */
import { WorkbenchError } from './errors.ts';

export class RightsNeeded extends WorkbenchError {}
