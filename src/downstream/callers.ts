/** Who has ever called on a connection: whatever a server says without naming a call may belong to any of them, however long ago. */
import type { Client } from '../base/call.ts';

export interface Callers {
  note(client: Client): void;
  /** The only one so far. */
  readonly only: Client | undefined;
  readonly several: boolean;
}

export function createCallers(): Callers {
  let first: Client | undefined;
  let several = false;
  return {
    note(client) {
      first ??= client;
      several ||= first !== client;
    },
    get only() {
      return several ? undefined : first;
    },
    get several() {
      return several;
    },
  };
}
