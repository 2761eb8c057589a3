/** Gives every definition its key: equal definitions share one, so that a server gets one process however often it is listed. */
import { createHash } from 'node:crypto';
import type { ServerDefinition } from './config.ts';
import type { LeftOutServer } from './left-out.ts';

export interface Definitions {
  /** The key of the definition in `servers`. */
  add(definition: Omit<ServerDefinition, 'key'>): string;
  /** The key of a server that is left out; no other server has it. */
  leave(server: Omit<LeftOutServer, 'key'>): string;
  readonly servers: ReadonlyMap<string, ServerDefinition>;
  readonly leftOut: ReadonlyMap<string, LeftOutServer>;
}

export function createDefinitions(): Definitions {
  const servers = new Map<string, ServerDefinition>();
  const leftOut = new Map<string, LeftOutServer>();
  const keys = new Map<string, string>();
  const keyOf = (name: string, identity: string) => {
    const known = keys.get(identity);
    if (known !== undefined) return known;
    const key = freeKey(name, identity, (taken) => servers.has(taken) || leftOut.has(taken));
    keys.set(identity, key);
    return key;
  };
  return {
    servers,
    leftOut,
    add(definition) {
      const key = keyOf(definition.name, identify(definition));
      if (!servers.has(key)) servers.set(key, { key, ...definition });
      return key;
    },
    leave(server) {
      const places = server.fault.problems.map(({ code, offset }) => [code, offset]);
      const key = keyOf(server.name, JSON.stringify(['left out', server.name, places]));
      leftOut.set(key, { key, ...server });
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

function freeKey(name: string, identity: string, isTaken: (key: string) => boolean): string {
  if (!isTaken(name)) return name;
  const fingerprint = createHash('sha256').update(identity).digest('hex');
  for (let length = 6; length < fingerprint.length; length++) {
    const key = `${name}#${fingerprint.slice(0, length)}`;
    if (!isTaken(key)) return key;
  }
  return `${name}#${fingerprint}`;
}
