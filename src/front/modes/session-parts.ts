/** The part of a session that all modes share, given its names and the lists of its client. */
import type { Call, CallOutcome } from '../../base/call/call.ts';
import { findString, withMembers } from '../../base/json/json.ts';
import { complete, type Referable } from '../calls/complete.ts';
import { findPublicOrError, type NameSpace } from '../calls/find-entry.ts';
import { findResource, type ResourceNames } from '../calls/find-resource.ts';
import { callEntry } from '../calls/forward-call.ts';
import { isHeldResource, readResultResource } from '../calls/long-results.ts';
import { subscribe } from '../calls/subscribe.ts';
import type { ModeSession, SessionContext } from '../front.ts';
import type { ClientLists } from '../lists/client-lists.ts';

export type SessionParts = Omit<ModeSession, 'instructions' | 'callTool' | 'findInputSchema'>;

export function buildSessionParts(context: SessionContext, names: Referable, lists: ClientLists): SessionParts {
  return {
    list: lists.list,
    hint: lists.hint,
    getPrompt: (call) => getPrompt(context, names.prompts, call),
    readResource: (call) => readResource(context, names, call),
    complete: (call) => complete(context, names, call),
    subscribe: (uri, subscriber) => subscribe(context, names, uri, subscriber),
    onClientListChanged: lists.onClientListChanged,
    listingChanged: lists.check,
    close: lists.close,
  };
}

async function getPrompt(context: SessionContext, prompts: NameSpace, call: Call): Promise<CallOutcome> {
  const found = await findPublicOrError(context.bench, prompts, findString(call.params, 'name') ?? '', call);
  return 'error' in found ? found : callEntry(context, found.entry.address, call, 'prompts');
}

/** The server gets its own URI; URIs in its answer are shown as the client knows them. */
async function readResource(context: SessionContext, names: ResourceNames, call: Call): Promise<CallOutcome> {
  const wanted = findString(call.params, 'uri') ?? '';
  if (isHeldResource(context.bench, wanted)) return readResultResource(context, call);
  const found = await findResource(context, names, wanted);
  if ('error' in found) return found;
  const { place, uri } = found;
  return callEntry(context, place, { ...call, params: withMembers(call.params, { uri }) });
}
