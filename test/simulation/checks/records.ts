/** What the judge knows of a schedule: requests of clients, calls, and questions of servers. */
import type { QuestionMethod } from '../../../src/base/call/question.ts';

import type { ServerSpec } from '../servers/server-spec.ts';
import type { Definition } from '../settings.ts';

/** A definition of a server that was read from a file. `next`: perhaps never in force. `spare`: the one before it was kept instead. */
export interface Generation extends Definition {
  readonly name: string;
  state: 'next' | 'current' | 'gone' | 'spare';
  /** When it went, and with which reload. */
  goneAt: number;
  goneWith: number;
  /** Of its processes. */
  readonly startTimes: number[];
}

/** One running server, as far as the judge looks at it. */
export interface Watched {
  readonly id: string;
  readonly spec: ServerSpec;
  readonly generation: Generation;
  readonly running: boolean;
}

/** What a client means with a request: `right` is the next round of a call, the last four must not lead anywhere. */
export type Intent = 'plain' | 'right' | 'used' | 'tampered' | 'foreign' | 'changed';

/** One request of a client. */
export interface Attempt {
  readonly number: number;
  readonly owner: string;
  readonly method: string;
  readonly nonce?: string;
  readonly intent: Intent;
  /** The state it carries was given by the Workbench, which therefore has to see through it. */
  readonly ours: boolean;
  readonly token?: number;
  /** Before its state can have been given. */
  readonly since: number;
  /** After how many reloads it has reached the Workbench. */
  reloads: number;
  answers: number;
  cancelled: boolean;
  /** A modern server has answered it while that was still wanted. */
  served: boolean;
  progress: number;
}

export interface CallRecord {
  readonly nonce: string;
  /** Who made it. Of stateless clients over HTTP only the principal is known. */
  readonly owner: string;
  readonly spec: ServerSpec;
  /** The server says that it may be called twice. */
  readonly repeatable: boolean;
  readonly arrivals: { readonly process: Watched; readonly key: string }[];
  /** A legacy server has answered it while that was still wanted. */
  answered: boolean;
}

export interface QuestionRecord {
  readonly tag: string;
  /** Undefined: it belongs to no call. */
  readonly nonce: string | undefined;
  readonly method: QuestionMethod;
  readonly process: Watched;
  /** It has reached the Workbench. */
  delivered: boolean;
  /** Its call was still wanted by then, so that it belongs to no other. */
  underWay: boolean;
  withdrawn: boolean;
  answers: number;
}

/** How much happened, so that a schedule in which nothing does is noticed. */
export interface Tally {
  calls: number;
  /** Answers of servers that reached their client. */
  answers: number;
  failures: number;
  /** Questions that reached a client, and answers that reached a server. */
  questions: number;
  replies: number;
  refusals: number;
  resumed: number;
  refusedStates: number;
  progress: number;
  logs: number;
  updates: number;
  cancels: number;
  crashes: number;
  reloads: number;
  /** Times that a server had calls under way when its definition went, and calls that were still under way after that. */
  drains: number;
  cutCalls: number;
  sleeps: number;
  /** Times that a server was given up for a while, and was tried after that. */
  downs: number;
  tries: number;
}

export function createTally(): Tally {
  return {
    calls: 0,
    answers: 0,
    failures: 0,
    questions: 0,
    replies: 0,
    refusals: 0,
    resumed: 0,
    refusedStates: 0,
    progress: 0,
    logs: 0,
    updates: 0,
    cancels: 0,
    crashes: 0,
    reloads: 0,
    drains: 0,
    cutCalls: 0,
    sleeps: 0,
    downs: 0,
    tries: 0,
  };
}
