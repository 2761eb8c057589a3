/**
 * The kinds of items that a server lists, and their words in the protocol. The kind is also the member of the answer that holds
 * the list.
 */

export const kinds = ['tools', 'prompts', 'resources', 'resourceTemplates'] as const;
export type Kind = (typeof kinds)[number];

/** The capability that a server or the Workbench declares. Changes are announced per capability, not per kind. */
export const capabilities = ['tools', 'prompts', 'resources'] as const;
export type Capability = (typeof capabilities)[number];

export interface KindRules {
  readonly listMethod: string;
  /** The member of a definition that identifies it among those of its server. */
  readonly identity: 'name' | 'uri' | 'uriTemplate';
  readonly capability: Capability;
  /** One of them, in messages. */
  readonly noun: string;
}

export const kindRules: Readonly<Record<Kind, KindRules>> = {
  tools: { listMethod: 'tools/list', identity: 'name', capability: 'tools', noun: 'tool' },
  prompts: { listMethod: 'prompts/list', identity: 'name', capability: 'prompts', noun: 'prompt' },
  resources: { listMethod: 'resources/list', identity: 'uri', capability: 'resources', noun: 'resource' },
  resourceTemplates: {
    listMethod: 'resources/templates/list',
    identity: 'uriTemplate',
    capability: 'resources',
    noun: 'resource template',
  },
};

const kindByMethod: ReadonlyMap<string, Kind> = new Map(kinds.map((kind) => [kindRules[kind].listMethod, kind]));
const capabilityByMethod: ReadonlyMap<string, Capability> = new Map(
  capabilities.map((capability) => [changeMethod(capability), capability]),
);

/** The kind that a method lists. */
export function findListedKind(method: string): Kind | undefined {
  return kindByMethod.get(method);
}

export function kindsOf(capability: Capability): Kind[] {
  return kinds.filter((kind) => kindRules[kind].capability === capability);
}

/** The notification that says that lists of this capability have changed. */
export function changeMethod(capability: Capability): string {
  return `notifications/${capability}/list_changed`;
}

/** The capability whose lists a notification says have changed. */
export function findChanged(method: string): Capability | undefined {
  return capabilityByMethod.get(method);
}

/** One value for each kind. */
export function forEachKind<T>(make: (kind: Kind) => T): Record<Kind, T> {
  return {
    tools: make('tools'),
    prompts: make('prompts'),
    resources: make('resources'),
    resourceTemplates: make('resourceTemplates'),
  };
}
