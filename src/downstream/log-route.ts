/**
 * Whose log message is it? On a shared pipe nothing says which call a message belongs to, so it goes to a client only
 * when every call under way is that client's; with several clients it could be anybody's and stays with us.
 */
import { type Call, isLogLevel, reaches } from '../base/call.ts';
import { findMember, findString, type JsonObject, withMembers } from '../base/json.ts';

export type LogRoute =
  | { readonly to: 'call'; readonly call: Call }
  | { readonly to: 'anyone' }
  | { readonly to: 'nobody' };

export function routeLog(params: JsonObject, inFlight: Iterable<Call>): LogRoute {
  const calls = [...inFlight];
  if (calls.length === 0) return { to: 'anyone' };
  if (new Set(calls.map(({ client }) => client)).size > 1) return { to: 'nobody' };
  const level = findMember(params, 'level');
  const call = calls.find(({ logLevel }) => logLevel !== undefined && isLogLevel(level) && reaches(level, logLevel));
  return call === undefined ? { to: 'nobody' } : { to: 'call', call };
}

/** The client sees one server; the logger's name says which one behind it speaks. */
export function withServerLogger(params: JsonObject, server: string): JsonObject {
  const logger = findString(params, 'logger');
  return withMembers(params, { logger: logger === undefined ? server : `${server}/${logger}` });
}
