/** Compares the variables of a configuration here and in the daemon, without sending their values. */
import { findVariable } from '../config/values/find-variable.ts';
import type { Greeting } from './handshake-messages.ts';
import { sealVariable } from './proof.ts';

export interface OwnVariables {
  readonly secret: Buffer;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
}

export function sealVariables(
  names: readonly string[],
  { secret, env, platform }: OwnVariables,
): Greeting['variables'] {
  return names.map((name) => [name, sealVariable(secret, name, findVariable(env, name, platform))] as const);
}

/** The first variable that differs. Then nothing can be shared: the servers would be different ones. */
export function findDifferent({ variables }: Pick<Greeting, 'variables'>, own: OwnVariables): string | undefined {
  const ours = sealVariables(
    variables.map(([name]) => name),
    own,
  );
  return variables.find(([, sealed], at) => ours[at]?.[1] !== sealed)?.[0];
}
