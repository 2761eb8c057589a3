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
import { createLink } from '../../downstream/link/create-link.ts';
import type { Link } from '../../downstream/link/link.ts';
import { type CatalogCacheOptions, createCatalogCache } from '../../downstream/listing/catalog-cache.ts';
import { listingBasis, versionOf } from '../../downstream/listing/fingerprint.ts';
import type { About, ListingMemory } from '../../downstream/listing/known.ts';
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
  /** What an earlier run has heard a server say of itself. Needs no link. */
  findAbout(definition: ServerDefinition, limits: Config['limits']): About | undefined;
  /** Call it after the links are closed: writes what they have heard. */
  close(): Promise<void>;
}

interface ServerMemory extends ListingMemory {
  /** What the server said of itself, without reading its lists. */
  findAbout(basis: string): About | undefined;
}

export function createLinkMaker(options: LinkMakerOptions): LinkMaker {
  const { identity, clock, log, redactor, random, startLocal, processes, chain, stateDir, audience } = options;
  // Facts that were found out about a server also hold for the next link to it.
  const quirks = createServerQuirks(stateDir);
  const catalogs = createCatalogCache(options.catalogs);

  const buildMemory = (definition: ServerDefinition, limits: Config['limits']): ServerMemory => {
    let version = versionOf(definition);
    // A server that is left out shows nothing, even if an earlier run has stored its list.
    const isLeftOut = chain.findRefusal(definition) !== undefined;
    return {
      basis({ anew }) {
        if (anew) version = versionOf(definition);
        return listingBasis(version, toDeclared(audience()));
      },
      find: (basis) => (isLeftOut ? undefined : catalogs.find(definition, limits, basis)),
      findAbout: (basis) => (isLeftOut ? undefined : catalogs.findAbout(definition, basis)),
      keep: (known, basis) => catalogs.keep(definition, known, basis),
    };
  };
  /** What was looked up for servers that have no link yet. */
  const memories = new Map<ServerDefinition, ServerMemory>();
  return {
    findAbout(definition, limits) {
      const memory = buildMemory(definition, limits);
      memories.set(definition, memory);
      return memory.findAbout(memory.basis({ anew: false }));
    },
    make(definition, limits) {
      const memory = memories.get(definition) ?? buildMemory(definition, limits);
      memories.delete(definition);
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
      return createLink(context, { audience, memory });
    },
    close: () => catalogs.close(),
  };
}
