/** A request that has passed the guard, found its endpoint and said who it comes from. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Front } from '../../../front/front.ts';
import type { SessionPlace } from '../sessions/sessions.ts';

export interface Inbound {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly front: Front;
  /** The principal and the endpoint: a session is bound to both. */
  readonly place: SessionPlace;
}

/** One value of a header that the guard has found at most once. */
export function headerOf({ request }: Pick<Inbound, 'request'>, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
