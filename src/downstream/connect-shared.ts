/** The connection that all share who may: the one that lists are read on. */
import { type Audience, toDeclared } from './audience.ts';
import { type Attempt, type ConnectOptions, connect } from './connect.ts';

export interface SharedOptions extends Omit<ConnectOptions, 'declared' | 'questions'> {
  audience(): Audience;
  /** Something is under way until the returned function is called. */
  hold(): () => void;
}

export function connectShared(options: SharedOptions): Attempt {
  const { definition, verdicts, audience, hold } = options;
  return connect({
    ...options,
    declared: toDeclared(definition, audience()),
    questions: {
      isExclusive: () => audience().sole,
      background(question, signal) {
        const answer = audience().host?.session?.ask(question, signal);
        const release = hold();
        Promise.resolve(answer).then(release, release);
        return answer;
      },
      onUncertain: () => verdicts.rememberAsks(definition),
    },
  });
}
