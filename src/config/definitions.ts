/** Gives every definition its key: equal ones share it, so that one server gets one process wherever it stands. */
import { createHash } from 'node:crypto';
import type { ServerDefinition } from './config.ts';

export interface Definitions {
  /** The key under which the definition stands in `servers`. */
  add(definition: Omit<ServerDefinition, 'key'>): string;
  readonly servers: ReadonlyMap<string, ServerDefinition>;
}

export function createDefinitions(): Definitions {
  const servers = new Map<string, ServerDefinition>();
  const keys = new Map<string, string>();
  return {
    servers,
    add(definition) {
      const identity = identify(definition);
      const known = keys.get(identity);
      if (known !== undefined) return known;
      const key = freeKey(definition.name, identity, servers);
      keys.set(identity, key);
      servers.set(key, { key, ...definition });
      return key;
    },
  };
}

/** Everything that makes it another server; the order of variables and headers does not. */
export function identify(definition: Omit<ServerDefinition, 'key'>): string {
  const { key: _, shown: __, ...identity } = { key: undefined, ...definition };
  return JSON.stringify(identity, (_key, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
      : value,
  );
}

function freeKey(name: string, identity: string, taken: ReadonlyMap<string, unknown>): string {
  if (!taken.has(name)) return name;
  const fingerprint = createHash('sha256').update(identity).digest('hex');
  for (let length = 6; length < fingerprint.length; length++) {
    const key = `${name}#${fingerprint.slice(0, length)}`;
    if (!taken.has(key)) return key;
  }
  return `${name}#${fingerprint}`;
}
