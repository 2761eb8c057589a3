/** Addresses that a person has to open before a call can be made, as servers of the handshake era ask for it: error -32042. */

import { findMissing, type Question } from '../../base/call/question.ts';
import { findMember, findObject, findString, isObject, type JsonObject, withMembers } from '../../base/json/json.ts';
import { type RpcError, rpcCode, rpcError } from '../../base/rpc/rpc.ts';
import { isOpenable } from '../../net/authorization-url.ts';

export interface UrlToOpen {
  readonly id: string;
  readonly url: string;
  readonly message: string;
}

/** What the error asks for; nothing when it is not this error. */
export function findUrls(error: RpcError): UrlToOpen[] {
  if (error.code !== rpcCode.urlRequired) return [];
  const listed = findMember(findObject(error, 'data') ?? {}, 'elicitations');
  return (Array.isArray(listed) ? listed : []).flatMap((each, index) => {
    const url = isObject(each) ? findString(each, 'url') : undefined;
    if (!isObject(each) || url === undefined || !isOpenable(url)) return [];
    const id = findString(each, 'elicitationId') ?? `url${index + 1}`;
    return [{ id, url, message: findString(each, 'message') ?? error.message }];
  });
}

/** The same error without addresses that must not be opened; when none is left, it says so. */
export function withOpenable(error: RpcError): RpcError {
  const data = findObject(error, 'data');
  const listed = data && findMember(data, 'elicitations');
  if (error.code !== rpcCode.urlRequired || data === undefined || !Array.isArray(listed)) return error;
  const kept = listed.filter((each) => isObject(each) && isOpenable(findString(each, 'url') ?? ''));
  if (kept.length === listed.length) return error;
  if (kept.length > 0) return { ...error, data: withMembers(data, { elicitations: kept }) };
  const refused =
    'The address that the server wants opened was refused: only https is allowed, or http on this machine.';
  return rpcError(rpcCode.internal, `${error.message} ${refused}`);
}

/** The same as a question, for clients that take it as one. */
export function toUrlQuestion({ url, message }: UrlToOpen): Question {
  return { method: 'elicitation/create', params: { mode: 'url', message, url } };
}

/** Whether a client with these capabilities can show an address to its user. */
export function opensUrls(capabilities: JsonObject): boolean {
  return findMissing(capabilities, { method: 'elicitation/create', params: { mode: 'url' } }) === undefined;
}

/** For a client that cannot show an address: the addresses stand in the message. */
export function toUrlText(error: RpcError): RpcError {
  const urls = findUrls(error).map(({ url }) => url);
  const open = urls.length === 0 ? '' : ` Open ${urls.join(' and ')} in a browser, then call again.`;
  return rpcError(rpcCode.internal, `${error.message}${open}`);
}
