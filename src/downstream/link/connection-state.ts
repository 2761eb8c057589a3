/**
 * Where the shared connection to a server stands: `idle` or `asleep` → `starting` → `live`, back to `idle` when the start fails or
 * the connection is lost, to `asleep` when no client uses it, and from everywhere to `closed`.
 */
import type { Connected } from '../connection/attempt.ts';

/** `ended` is the end of the process that was put to sleep: no two of one server run at a time. */
export type ConnectionState =
  | { readonly is: 'idle' }
  | {
      readonly is: 'starting';
      readonly since: number;
      readonly ended: Promise<void> | undefined;
      readonly connected: Promise<Connected>;
    }
  | { readonly is: 'live'; readonly connected: Connected }
  | { readonly is: 'asleep'; readonly ended: Promise<void> }
  | { readonly is: 'closed' };
