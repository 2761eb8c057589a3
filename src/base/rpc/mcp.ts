/** Facts about the methods of MCP and the keys that the protocol keeps for itself: one table for both sides of the Workbench. */

/** Begins the keys of metadata that speak of one hop; they are never passed on. */
const metaPrefix = 'io.modelcontextprotocol/';

/** Members of `_meta`. All but the last belong to the stateless era. */
export const metaKeys = {
  version: `${metaPrefix}protocolVersion`,
  capabilities: `${metaPrefix}clientCapabilities`,
  clientInfo: `${metaPrefix}clientInfo`,
  logLevel: `${metaPrefix}logLevel`,
  serverInfo: `${metaPrefix}serverInfo`,
  subscription: `${metaPrefix}subscriptionId`,
  relatedTask: `${metaPrefix}related-task`,
} as const;

/** Members of `extensions` in the capabilities of either side. */
export const extensionKeys = { tasks: `${metaPrefix}tasks`, ui: `${metaPrefix}ui` } as const;

export function isReservedKey(key: string): boolean {
  return key.startsWith(metaPrefix);
}

/** Whether a member of the metadata of a request ends with this hop. */
export function isHopKey(key: string): boolean {
  return key === 'progressToken' || isReservedKey(key);
}

export interface MethodFacts {
  /** The parameter that says what a request is about, and what that is. Over HTTP the header `Mcp-Name` repeats it. */
  readonly named?: { readonly key: 'name' | 'uri' | 'taskId'; readonly what: string };
  /** A server may answer with questions. */
  readonly mayAsk?: true;
  /** A call that was lost on its way can be made again: it changes nothing. */
  readonly readOnly?: true;
  /** The list in the result whose items carry URIs of resources. */
  readonly urisIn?: 'content' | 'messages' | 'contents';
}

const ofTask = { named: { key: 'taskId', what: 'the id of a task' } } as const;
const methods: ReadonlyMap<string, MethodFacts> = new Map<string, MethodFacts>([
  ['tools/call', { named: { key: 'name', what: 'the name of a tool' }, mayAsk: true, urisIn: 'content' }],
  [
    'prompts/get',
    { named: { key: 'name', what: 'the name of a prompt' }, mayAsk: true, readOnly: true, urisIn: 'messages' },
  ],
  [
    'resources/read',
    { named: { key: 'uri', what: 'the URI of a resource' }, mayAsk: true, readOnly: true, urisIn: 'contents' },
  ],
  ['completion/complete', { readOnly: true }],
  ['tasks/get', ofTask],
  ['tasks/update', ofTask],
  ['tasks/cancel', ofTask],
]);
const noFacts: MethodFacts = {};

/** Nothing holds for a method that is not in the table. Methods that list are in `catalog/kind.ts`, questions in `question.ts`. */
export function methodFacts(method: string): MethodFacts {
  return methods.get(method) ?? noFacts;
}
