/** The kinds of worlds that are tried. Which one a seed makes follows from the seed, so that the seed alone repeats it. */
import type { PlanHabits } from './plan.ts';

export interface Profile {
  readonly name: string;
  /** `legacy` and `modern`: one client at a pipe. */
  readonly clients: 'many' | 'stateless' | 'legacy' | 'modern';
  readonly servers: 'both eras' | 'legacy';
  readonly habits: PlanHabits;
  /** How often something breaks that no call asked to break. */
  readonly trouble: number;
  /** How often the configuration is changed, and how often a server fails until it is down. */
  readonly reloads: number;
}

const calm: PlanHabits = { asking: 4, crashing: 0.15 };

const still = { reloads: 0 };

export const profiles: readonly Profile[] = [
  { name: 'many clients of both eras', clients: 'many', servers: 'both eras', habits: calm, trouble: 0.15, ...still },
  {
    name: 'stateless clients of servers that ask much',
    clients: 'stateless',
    servers: 'legacy',
    habits: { asking: 12, crashing: 0.1 },
    trouble: 0.05,
    ...still,
  },
  {
    name: 'one handshake client at a pipe',
    clients: 'legacy',
    servers: 'both eras',
    habits: calm,
    trouble: 0.1,
    ...still,
  },
  {
    name: 'one stateless client at a pipe',
    clients: 'modern',
    servers: 'both eras',
    habits: calm,
    trouble: 0.1,
    ...still,
  },
  {
    name: 'many clients of servers that fail',
    clients: 'many',
    servers: 'both eras',
    habits: { asking: 3, crashing: 1.5 },
    trouble: 1,
    ...still,
  },
  {
    name: 'many clients while the configuration changes',
    clients: 'many',
    servers: 'both eras',
    habits: { asking: 2, crashing: 0.15 },
    trouble: 0.1,
    reloads: 1,
  },
  {
    name: 'one handshake client while the configuration changes',
    clients: 'legacy',
    servers: 'both eras',
    habits: { asking: 2, crashing: 0.15 },
    trouble: 0.1,
    reloads: 1,
  },
];

export function profileOf(seed: number): Profile {
  return profiles[seed % profiles.length]!;
}
