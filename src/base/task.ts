/** Calls that go on as tasks: the words both edges share. A task itself belongs to one hop and never crosses the other. */

/** What the client asked for when it wants its call to be a task. */
export interface TaskWish {
  /** How long it should be kept from its beginning, in milliseconds. */
  readonly ttl?: number;
}

/** How a call that goes on as a task is doing. What it ends with is told by the call itself. */
export interface TaskNews {
  readonly statusMessage?: string;
  /** How often it is worth asking. */
  readonly pollIntervalMs?: number;
}

/** Bounds what a peer says of how often to ask: neither a flood nor an eternity. */
export function toPollMs(value: unknown): number {
  return typeof value === 'number' && value > 0 ? Math.round(Math.min(60_000, Math.max(100, value))) : 1_000;
}

/** The client wants a task of a tool that forbids it. Thrown up to the edge of the client, like UrlNeeded. */
export class TaskRefused extends Error {
  constructor(tool: string) {
    super(`Tool '${tool}' cannot be run as a task. Call it without "task".`);
    this.name = 'TaskRefused';
  }
}
