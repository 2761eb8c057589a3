/** Makes the links of one workbench: what they share, and what each needs for itself. */
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Redactor } from '../base/redact.ts';
import type { Config, ServerDefinition } from '../config/config.ts';
import { type Audience, toDeclared } from '../downstream/audience.ts';
import type { Chain } from '../downstream/chain.ts';
import type { StartLocal } from '../downstream/connect-stdio.ts';
import type { Identity } from '../downstream/edge.ts';
import { listingGround, versionOf } from '../downstream/fingerprint.ts';
import { type CatalogKeeperOptions, createCatalogKeeper } from '../downstream/keep-catalog.ts';
import type { Known } from '../downstream/known.ts';
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
  /** Where catalogs are kept between runs. */
  readonly catalogs: CatalogKeeperOptions;
  readonly processes: ProcessListener | undefined;
  readonly chain: Chain;
  audience(): Audience;
}

export interface LinkMaker {
  make(definition: ServerDefinition, limits: Config['limits']): Link;
  /** For when its links are closed: nothing of what they have heard is lost. */
  close(): Promise<void>;
}

export function createLinkMaker({ stateDir, ...shared }: LinkMakerOptions): LinkMaker {
  const { log, redactor } = shared;
  // What was found out about servers holds for the next link to them, too.
  const verdicts = createVerdicts(stateDir);
  const catalogs = createCatalogKeeper(shared.catalogs);
  return {
    make(definition, limits) {
      const credentials = createLazyCredentials({ definition, stateDir, log, redactor });
      let version = versionOf(definition);
      const ground = ({ anew }: { anew: boolean }) => {
        if (anew) version = versionOf(definition);
        return listingGround(version, toDeclared(shared.audience()));
      };
      // What is left out shows nothing, whatever an earlier run has heard of it.
      const isLeftOut = shared.chain.findRefusal(definition) !== undefined;
      const findKnown = (found: string) => (isLeftOut ? undefined : catalogs.find(definition, limits, found));
      const keep = (heard: Known, found: string) => catalogs.keep(definition, heard, found);
      const known = findKnown(ground({ anew: false }));
      return new Link({ ...shared, verdicts, definition, limits, credentials, known, ground, findKnown, keep });
    },
    close: () => catalogs.close(),
  };
}
