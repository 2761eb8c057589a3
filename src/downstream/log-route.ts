/**
 * Whose log message is it? On a shared pipe nothing says which call a message belongs to, nor whether that is over, so it goes to
 * a client only when no other has ever called there; with several clients it could be anybody's and stays with us, unless the
 * server logs for no call but one.
 */
import { type Call, isLogLevel, reaches } from '../base/call.ts';
import { findMember, findString, type JsonObject, withMembers } from '../base/json.ts';
import type { ReadonlyOpenMap } from '../base/open-map.ts';

export type LogRoute =
  | { readonly to: 'call'; readonly call: Call }
  | { readonly to: 'anyone' }
  | { readonly to: 'nobody' };

export interface LogGround {
  /** The request on whose own stream it came, where the transport has such streams. */
  readonly stream: number | undefined;
  readonly inFlight: ReadonlyOpenMap<number, { readonly call: Call }>;
  /** More than one client has used the connection. */
  readonly several: boolean;
  /** The server logs only for calls that ask for it, and none of those was ever given up: what it says is of one under way. */
  readonly onlyWanted: boolean;
}

export function routeLog(params: JsonObject, { stream, inFlight, several, onlyWanted }: LogGround): LogRoute {
  if (stream === undefined && several) {
    const [only, ...others] = onlyWanted
      ? [...inFlight.values()].filter(({ call }) => call.logLevel !== undefined)
      : [];
    if (only === undefined || others.length > 0) return { to: 'nobody' };
    return routeLog(params, { stream, inFlight: new Map([[0, only]]), several: false, onlyWanted });
  }
  if (stream === undefined && inFlight.size === 0) return { to: 'anyone' };
  // What comes on the stream of a call that was given up must not reach whoever else is calling.
  const owners = stream === undefined ? [...inFlight.values()] : [inFlight.get(stream)];
  const level = findMember(params, 'level');
  const wants = (call?: Call) => call?.logLevel !== undefined && isLogLevel(level) && reaches(level, call.logLevel);
  const call = owners.find((owner) => wants(owner?.call))?.call;
  return call === undefined ? { to: 'nobody' } : { to: 'call', call };
}

/** The client sees one server; the logger's name says which one behind it speaks. */
export function withServerLogger(params: JsonObject, server: string): JsonObject {
  const logger = findString(params, 'logger');
  return withMembers(params, { logger: logger === undefined ? server : `${server}/${logger}` });
}
