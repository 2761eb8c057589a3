/** Calls that continue as tasks: the vocabulary that both edges share. A task belongs to one hop and never crosses to the other. */

/** What the client asks for when it wants its call to become a task. */
export interface TaskWish {
  /** How long the task should be kept from its start, in milliseconds. */
  readonly ttl?: number;
}

/** The progress of a call that continues as a task. Its end is told by the call itself. */
export interface TaskNews {
  readonly statusMessage?: string;
  /** The interval at which polling is useful. */
  readonly pollIntervalMs?: number;
}

/** Bounds the polling interval that a peer suggests: neither a flood nor an eternity. */
export function toPollMs(value: unknown): number {
  return typeof value === 'number' && value > 0 ? Math.round(Math.min(60_000, Math.max(100, value))) : 1_000;
}

/** The client wants a task from a tool that forbids it. Thrown up to the edge of the client, like UrlNeeded. */
export class TaskRefused extends Error {
  constructor(tool: string) {
    super(`Tool '${tool}' cannot be run as a task. Call it without "task".`);
    this.name = 'TaskRefused';
  }
}
