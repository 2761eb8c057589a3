/** What the session of every mode does alike, given the names it shows and the lists of its client. */
import type { Bench } from '../workbench/bench.ts';
import type { ClientLists } from './client-lists.ts';
import { complete, type Referable } from './complete.ts';
import type { FrontSession } from './front.ts';
import { getPrompt } from './get-prompt.ts';
import { readResource } from './read-resource.ts';
import { subscribe } from './subscribe.ts';

export type SessionParts = Omit<FrontSession, 'instructions' | 'callTool' | 'findInputSchema'>;

export function buildSessionParts(bench: Bench, names: Referable, lists: ClientLists): SessionParts {
  return {
    list: lists.list,
    hint: lists.hint,
    getPrompt: (call) => getPrompt(bench, names.prompts, call),
    readResource: (call) => readResource(bench, names, call),
    complete: (call) => complete(bench, names, call),
    subscribe: (uri, subscriber) => subscribe(bench, names, uri, subscriber),
    onListChanged: lists.onListChanged,
    close: lists.close,
  };
}
