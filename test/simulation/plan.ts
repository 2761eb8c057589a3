/** What a server does with a call: drawn by the client that makes the call, and carried in its arguments. */

import type { QuestionMethod } from '../../src/base/call/question.ts';
import type { Json, JsonObject } from '../../src/base/json/json.ts';
import type { Random } from './random.ts';

export type Step =
  | { readonly do: 'progress'; readonly value: number }
  | { readonly do: 'log' }
  /** All at once; none: a server of the stateless era only wants to be called again. */
  | { readonly do: 'ask'; readonly methods: readonly QuestionMethod[]; readonly withdraw: boolean }
  | { readonly do: 'announce' }
  | { readonly do: 'crash' };

export interface Plan {
  readonly steps: readonly Step[];
  /** `silent`: never, until it is cancelled. */
  readonly end: 'answer' | 'error' | 'silent';
  /** Said when the call is over: servers of the handshake era may. */
  readonly late: 'ask' | 'log' | undefined;
  /** Answers although it was cancelled. */
  readonly stubborn: boolean;
}

export interface PlanHabits {
  /** How much of what servers do is asking, and crashing. */
  readonly asking: number;
  readonly crashing: number;
}

const methods = ['elicitation/create', 'elicitation/create', 'sampling/createMessage', 'roots/list'] as const;

export function drawPlan(random: Random, { asking, crashing }: PlanHabits): Plan {
  let progress = 0;
  const drawStep = (): Step => {
    const what = random.weigh([
      [3, 'progress'],
      [2, 'log'],
      [asking, 'ask'],
      [1, 'announce'],
      [crashing, 'crash'],
    ] as const);
    if (what === 'progress') {
      // Not every server counts upward.
      progress += random.pick([1, 1, 2, 0, -1]);
      return { do: what, value: progress };
    }
    if (what !== 'ask') return { do: what };
    const count = random.weigh([
      [6, 1],
      [2, 2],
      [1, 3],
      [1, 0],
    ]);
    return {
      do: what,
      methods: Array.from({ length: count }, () => random.pick(methods)),
      withdraw: random.chance(0.1),
    };
  };
  return {
    steps: Array.from({ length: random.int(5) }, drawStep),
    end: random.weigh([
      [8, 'answer'],
      [1, 'error'],
      [1.5, 'silent'],
    ]),
    late: random.weigh([
      [8, undefined],
      [1, 'ask'],
      [1, 'log'],
    ]),
    stubborn: random.chance(0.2),
  };
}

export function toJson(plan: Plan): JsonObject {
  return JSON.parse(JSON.stringify(plan)) as JsonObject;
}

export function readPlan(value: Json | undefined): Plan {
  return value as unknown as Plan;
}
