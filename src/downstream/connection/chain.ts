/**
 * Prevents chains of Workbenches: a server that is this Workbench, or leads back to it, is left out, and a Workbench that stands in
 * such a chain starts nothing. One Workbench with another configuration may be behind this one, and no further Workbench behind
 * that. See decision 30.
 */
import { randomBytes } from 'node:crypto';
import { realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { memoizeInTurn } from '../../base/async/memoize-in-turn.ts';
import type { Step } from '../../base/call/trail.ts';
import { WorkbenchError } from '../../base/errors/errors.ts';
import { mayBeLoopback } from '../../base/loopback.ts';
import { findOwnTrail, toConfigId } from '../../config/file/find-trail.ts';
import type { ServerDefinition, StdioTransport } from '../../config/model/config.ts';
import { findVariable } from '../../config/values/find-variable.ts';
import { findOwnEntry, type OwnEntry } from './own-program.ts';

export interface Chain {
  /** The id of the configuration that is served here. */
  readonly id: string;
  /** What a process that is started here is told: the Workbenches above it. */
  readonly steps: readonly Step[];
  /** The reason why a server must not be started or asked, if there is one. */
  findRefusal(definition: ServerDefinition): WorkbenchError | undefined;
  /** What a server may be told of the Workbenches that ask it. Ids say which machine and file, so only servers on this machine are told. */
  trailFor(definition: ServerDefinition): readonly string[];
  /** A server says which Workbenches it is or leads to. Gives the reason why it must not be used, if there is one. */
  reached(definition: ServerDefinition, ids: readonly string[]): WorkbenchError | undefined;
  /** Ids of the Workbenches that a client reaches here: this one, and those behind the servers with these keys. */
  reaches(keys: Iterable<string>): string[];
  /** A client comes by way of these Workbenches. Gives whether this one is among them. */
  met(trail: readonly string[]): boolean;
}

export interface ChainOptions {
  /** Path of the configuration file; undefined for a configuration that was given as a value. */
  readonly config: string | undefined;
  readonly pid: number;
  /** Milliseconds of a clock that never goes back. */
  now(): number;
  /** The Workbenches above this one, outermost first. */
  above(): readonly Step[];
  /** Whether a command starts this very program. */
  findOwnEntry(transport: StdioTransport): OwnEntry | undefined;
}

/** How many Workbenches may be above one that starts servers. */
const deepest = 1;
/** Two Workbenches that ask each other at the same time do so within this time. */
const metMs = 60_000;
const maxMet = 256;

export function createChain(options: ChainOptions): Chain {
  let made: string | undefined;
  const ownId = () => {
    made ??= options.config === undefined ? randomBytes(8).toString('hex') : toConfigId(options.config);
    return made;
  };
  // Looked up when something is started: many configurations never start anything.
  let found: readonly Step[] | undefined;
  const above = () => {
    found ??= options.above();
    return found;
  };
  const behind = new Map<string, readonly string[]>();
  const lately = new Map<string, number>();
  const isBefore = (other: string) => other === ownId() || options.now() - (lately.get(other) ?? -metMs) < metMs;
  return {
    get id() {
      return ownId();
    },
    get steps() {
      return [...above(), { id: ownId(), pid: options.pid }];
    },
    findRefusal({ name, transport }) {
      const steps = above();
      if (steps.some((step) => step.id === ownId()))
        return refuse(started(name, 'a Workbench with the same configuration'));
      if (steps.length > deepest) return refuse(started(name, 'a Workbench behind a Workbench'));
      const own = transport.kind === 'stdio' ? options.findOwnEntry(transport) : undefined;
      if (own === undefined) return undefined;
      if (own.config === undefined)
        return refuse(
          `Server '${name}' is mcp-workbench itself and names no configuration of its own. It is left out.`,
        );
      if (toConfigId(own.config) === ownId())
        return refuse(`Server '${name}' is this Workbench itself, with this very configuration. It is left out.`);
      if (steps.length < deepest) return undefined;
      return refuse(`Server '${name}' is another Workbench, and this Workbench is already behind one. It is left out.`);
    },
    trailFor({ transport }) {
      const isProcess = transport.kind === 'stdio';
      if (!isProcess && !isLocal(transport.url)) return [];
      // A process cannot be started with a configuration that is not in a file.
      const own = isProcess && options.config === undefined ? [] : [ownId()];
      return [...new Set([...above().map((step) => step.id), ...own])];
    },
    reached({ key, name }, ids) {
      if (ids.some(isBefore))
        return refuse(`Server '${name}' is this Workbench, or a Workbench that leads back to it. It is left out.`);
      behind.set(key, ids);
      return undefined;
    },
    reaches: (keys) => [...new Set([ownId(), ...[...keys].flatMap((key) => behind.get(key) ?? [])])].slice(0, maxMet),
    met(trail) {
      if (lately.size > maxMet) lately.clear();
      for (const each of trail) lately.set(each, options.now());
      return trail.includes(ownId());
    },
  };
}

/** The chain that this process stands in. */
export function createOwnChain(config: string | undefined): Chain {
  return createChain({
    config,
    pid: process.pid,
    now: () => performance.now(),
    above: () => findOwnTrail(),
    findOwnEntry: (transport) => findOwnEntry(transport, systemLookup(transport)),
  });
}

function refuse(message: string): WorkbenchError {
  return new WorkbenchError('WB1023', message);
}

function started(server: string, by: string): string {
  return `Server '${server}' is not started: this Workbench was itself started by a server of ${by}, and each would start the next.`;
}

function isLocal(address: string): boolean {
  return mayBeLoopback(new URL(address).hostname);
}

function systemLookup({ env }: StdioTransport) {
  const { platform } = process;
  return {
    platform,
    home: homedir(),
    path: findVariable(env, 'PATH', platform) ?? process.env.PATH ?? '',
    findFile,
  };
}

const findFile = memoizeInTurn((path) => {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true ? realpathSync.native(path) : undefined;
  } catch {
    return undefined;
  }
});
