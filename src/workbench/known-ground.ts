/** What the next start would know of the servers before any of them is started, and the files it would know it from. */
import { emptyListing, sameListing } from '../catalog/listing.ts';
import type { Link } from '../downstream/link.ts';
import type { LinkMaker } from './link-maker.ts';

export interface KnownGround {
  /** The stamps of those files; undefined where there is none. */
  readonly files: ReadonlyMap<string, string | undefined>;
  /** When the first of it is not believed any more. */
  readonly until: number;
  /** Something is known of every server that is not disabled. */
  readonly whole: boolean;
}

type Told = Pick<Link, 'definition' | 'heard' | 'listing'>;

/** Undefined when it is not what is known now: then the next start would show something else. */
export function buildGround(links: readonly Told[], { kept }: Pick<LinkMaker, 'kept'>): KnownGround | undefined {
  const files = new Map<string, string | undefined>();
  let until = Number.MAX_SAFE_INTEGER;
  let whole = true;
  for (const { definition, heard, listing } of links) {
    if (definition.disabled) continue;
    const known = kept(definition);
    // What could not be read whole is shown, and not kept.
    if (known === undefined || known.heard !== heard) return undefined;
    if (!sameListing(known.listing ?? emptyListing, listing ?? emptyListing)) return undefined;
    whole &&= known.listing !== undefined;
    until = Math.min(until, known.until);
    for (const [path, stamp] of known.files) files.set(path, stamp);
  }
  return { files, until, whole };
}
