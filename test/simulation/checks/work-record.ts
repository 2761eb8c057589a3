/** A call at a server: how far it has come. */
import type { Json, JsonObject } from '../../../src/base/json/json.ts';
import type { Plan } from '../plan.ts';

export interface Work {
  readonly id: Json;
  readonly nonce: string;
  readonly attempt: number;
  readonly plan: Plan;
  readonly token: Json | undefined;
  readonly params: JsonObject;
  /** Of the next step. */
  step: number;
  /** Questions it waits for. */
  readonly waiting: Set<string>;
  over: boolean;
}
