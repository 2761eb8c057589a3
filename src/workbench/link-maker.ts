/** Makes the links of one workbench: what they share, and what each needs for itself. */
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Redactor } from '../base/redact.ts';
import type { Config, ServerDefinition } from '../config/config.ts';
import type { Audience } from '../downstream/audience.ts';
import type { StartLocal } from '../downstream/connect-stdio.ts';
import type { Identity } from '../downstream/edge.ts';
import { Link } from '../downstream/link.ts';
import { createLazyCredentials } from '../downstream/oauth/lazy-credentials.ts';
import type { ProcessListener } from '../downstream/running/keep-record.ts';
import { createVerdicts } from '../downstream/verdicts.ts';

export interface LinkMakerOptions {
  readonly identity: Identity;
  readonly clock: Clock;
  readonly log: Log;
  readonly redactor: Redactor;
  readonly startLocal: StartLocal | undefined;
  readonly random: (() => number) | undefined;
  readonly stateDir: string | undefined;
  readonly processes: ProcessListener | undefined;
  audience(): Audience;
}

export type MakeLink = (definition: ServerDefinition, limits: Config['limits']) => Link;

export function createLinkMaker({ stateDir, ...shared }: LinkMakerOptions): MakeLink {
  const { log, redactor } = shared;
  // What was found out about servers holds for the next link to them, too.
  const verdicts = createVerdicts(stateDir);
  return (definition, limits) => {
    const credentials = createLazyCredentials({ definition, stateDir, log, redactor });
    return new Link({ ...shared, verdicts, definition, limits, credentials });
  };
}
