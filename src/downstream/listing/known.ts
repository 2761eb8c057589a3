/** What is known of a server from an earlier run: what it lists, and what it said of itself. */
import { defined } from '../../base/json/defined.ts';
import { findMember, findString, type JsonObject } from '../../base/json/json.ts';
import { toPrintable } from '../../base/text/printable.ts';
import type { KnownListing } from '../../catalog/known-listing.ts';
import type { Era, ServerEdge, ServerInfo } from '../era/edge.ts';
import { toServerInfo } from '../era/server-info.ts';

/** What a server said of itself. */
export interface About {
  readonly era?: Era;
  readonly protocolVersion?: string;
  readonly info?: ServerInfo;
  readonly instructions?: string;
}

export interface Known extends Omit<KnownListing, 'about'> {
  readonly about: About;
}

/** What is remembered of one server between runs. */
export interface ListingMemory {
  /** What its listing depends on now, beside its definition; `anew` looks at the files of the server again. */
  basis(how: { readonly anew: boolean }): string;
  /** What an earlier run has heard on this basis. */
  find(basis: string): Known | undefined;
  /** Takes what the next run is to know. */
  keep(known: Known, basis: string): void;
}

export function aboutOf({ era, protocolVersion, info, instructions }: ServerEdge): About {
  return { era, protocolVersion, info, ...defined({ instructions }) };
}

/** The form in which it is stored. */
export function toKnownListing({ about, ...rest }: Known): KnownListing {
  const { era, protocolVersion, info, instructions } = about;
  return { ...rest, about: defined({ era, protocolVersion, info: info && { ...info }, instructions }) as JsonObject };
}

export function toKnown({ about, ...rest }: KnownListing): Known {
  return { ...rest, about: toAbout(about) };
}

export function toAbout(about: JsonObject): About {
  const era = findMember(about, 'era');
  const version = findString(about, 'protocolVersion');
  const info = findMember(about, 'info');
  const instructions = findString(about, 'instructions');
  return defined({
    era: era === 'legacy' || era === 'modern' ? era : undefined,
    protocolVersion: version && toPrintable(version, 40),
    info: info === undefined ? undefined : toServerInfo(info),
    instructions,
  });
}
