/**
 * A server refuses a call for lack of rights that no sign-in has requested yet. Unlike after other refusals, a new sign-in helps.
 */
import { WorkbenchError } from './errors.ts';

export class RightsNeeded extends WorkbenchError {}
