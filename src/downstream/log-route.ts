/** Who wants a log message of a server, of those it may belong to, and how it is named to them. */
import { type Call, type Client, isLogLevel, type LogLevel, reaches } from '../base/call.ts';
import { findMember, findString, type JsonObject, withMembers } from '../base/json.ts';

/** Whether somebody who asked for messages down to a level, or for none, wants this one. */
export function wantsLog(params: JsonObject, threshold: LogLevel | undefined): boolean {
  const level = findMember(params, 'level');
  return threshold !== undefined && isLogLevel(level) && reaches(level, threshold);
}

/** The first of the calls that it is wanted for. */
export function findLogged<T extends { readonly call: Call }>(params: JsonObject, calls: Iterable<T>): T | undefined {
  for (const each of calls) if (wantsLog(params, each.call.features.logLevel)) return each;
  return undefined;
}

/** Tells a client outside of any call, where it can be told and wants to be. */
export function tellLog(params: JsonObject, { session }: Client): void {
  if (session !== undefined && wantsLog(params, session.logLevel)) session.tell('notifications/message', params);
}

/** The client sees one server; the logger's name says which one behind it speaks. */
export function withServerLogger(params: JsonObject, server: string): JsonObject {
  const logger = findString(params, 'logger');
  return withMembers(params, { logger: logger === undefined ? server : `${server}/${logger}` });
}
