/** The connection that all share who may: the one that lists are read on. */
import { type Audience, toDeclared } from './audience.ts';
import type { Company } from './company.ts';
import { type Attempt, type ConnectOptions, connect } from './connect.ts';

export interface SharedOptions extends Omit<ConnectOptions, 'declared' | 'company'>, Company {
  audience(): Audience;
}

/** What it was told goes with it. */
export type SharedAttempt = Attempt & Pick<ConnectOptions, 'declared'>;

export function connectShared(options: SharedOptions): SharedAttempt {
  const { audience, connected, hold, onNeed } = options;
  const declared = toDeclared(audience());
  return { ...connect({ ...options, declared, company: { connected, hold, onNeed } }), declared };
}
