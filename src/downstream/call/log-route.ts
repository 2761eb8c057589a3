/** Which call or client wants a log message of a server, and how the server is named in it. */
import { type Call, type Client, isLogLevel, type LogLevel, reaches } from '../../base/call/call.ts';
import { findMember, findString, type JsonObject, withMembers } from '../../base/json/json.ts';

/** Whether a client that asked for messages down to a level, or for none, wants this one. */
export function wantsLog(params: JsonObject, threshold: LogLevel | undefined): boolean {
  const level = findMember(params, 'level');
  return threshold !== undefined && isLogLevel(level) && reaches(level, threshold);
}

/** The first of the calls whose client wants it. */
export function findLogged<T extends { readonly call: Call }>(params: JsonObject, calls: Iterable<T>): T | undefined {
  for (const each of calls) if (wantsLog(params, each.call.features.logLevel)) return each;
  return undefined;
}

/** Tells a client outside of any call, if the client has a session and wants the message. */
export function tellLog(params: JsonObject, { session }: Client): void {
  if (session !== undefined && wantsLog(params, session.logLevel)) session.tell('notifications/message', params);
}

/** The client sees one server, so the logger's name says which server behind it speaks. */
export function withServerLogger(params: JsonObject, server: string): JsonObject {
  const logger = findString(params, 'logger');
  return withMembers(params, { logger: logger === undefined ? server : `${server}/${logger}` });
}
