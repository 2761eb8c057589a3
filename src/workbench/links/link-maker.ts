/** Makes the links of one workbench: gives each the context of its server and what is remembered of it. */
import type { Clock } from '../../base/async/clock.ts';
import type { Log } from '../../base/text/log.ts';
import type { Redactor } from '../../base/text/redact.ts';
import type { Config, ServerDefinition } from '../../config/model/config.ts';
import { type Audience, toDeclared } from '../../downstream/connection/audience.ts';
import type { Chain } from '../../downstream/connection/chain.ts';
import type { ServerContext } from '../../downstream/connection/server-context.ts';
import { createServerQuirks } from '../../downstream/connection/server-quirks.ts';
import type { Identity } from '../../downstream/era/edge.ts';
import { Link } from '../../downstream/link/link.ts';
import { type CatalogCacheOptions, createCatalogCache } from '../../downstream/listing/catalog-cache.ts';
import { listingBasis, versionOf } from '../../downstream/listing/fingerprint.ts';
import type { ListingMemory } from '../../downstream/listing/known.ts';
import { createLazyCredentials } from '../../downstream/oauth/lazy-credentials.ts';
import type { StartLocal } from '../../downstream/process/process.ts';
import type { ProcessListener } from '../../downstream/running/run-record.ts';

export interface LinkMakerOptions {
  readonly identity: Identity;
  readonly clock: Clock;
  readonly log: Log;
  readonly redactor: Redactor;
  readonly startLocal: StartLocal | undefined;
  readonly random: (() => number) | undefined;
  readonly stateDir: string | undefined;
  /** Where catalogs are kept between runs. */
  readonly catalogs: CatalogCacheOptions;
  readonly processes: ProcessListener | undefined;
  readonly chain: Chain;
  audience(): Audience;
}

export interface LinkMaker {
  make(definition: ServerDefinition, limits: Config['limits']): Link;
  /** Call it after the links are closed: writes what they have heard. */
  close(): Promise<void>;
}

export function createLinkMaker(options: LinkMakerOptions): LinkMaker {
  const { identity, clock, log, redactor, random, startLocal, processes, chain, stateDir, audience } = options;
  // Facts that were found out about a server also hold for the next link to it.
  const quirks = createServerQuirks(stateDir);
  const catalogs = createCatalogCache(options.catalogs);

  const buildMemory = (definition: ServerDefinition, limits: Config['limits']): ListingMemory => {
    let version = versionOf(definition);
    // A server that is left out shows nothing, even if an earlier run has stored its list.
    const isLeftOut = chain.findRefusal(definition) !== undefined;
    return {
      basis({ anew }) {
        if (anew) version = versionOf(definition);
        return listingBasis(version, toDeclared(audience()));
      },
      find: (basis) => (isLeftOut ? undefined : catalogs.find(definition, limits, basis)),
      keep: (known, basis) => catalogs.keep(definition, known, basis),
    };
  };
  return {
    make(definition, limits) {
      const context: ServerContext = {
        definition,
        identity,
        clock,
        limits,
        log: log.with({ server: definition.name }),
        redactor,
        quirks,
        random,
        startLocal,
        processes,
        chain,
        credentials: createLazyCredentials({ definition, stateDir, log, redactor }),
      };
      return new Link(context, { audience, memory: buildMemory(definition, limits) });
    },
    close: () => catalogs.close(),
  };
}
