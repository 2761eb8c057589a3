/** What is known of a server from an earlier run: what it lists, and what it said of itself. */
import { findMember, findString, type JsonObject } from '../base/json.ts';
import { toPrintable } from '../base/printable.ts';
import type { KnownListing } from '../catalog/known-listing.ts';
import type { ServerEdge } from './edge.ts';
import type { LinkStatus } from './link-status.ts';
import { toServerInfo } from './server-info.ts';

export type About = Pick<LinkStatus, 'era' | 'protocolVersion' | 'info' | 'instructions'>;

export interface Known extends Omit<KnownListing, 'about'> {
  readonly about: About;
}

export function aboutOf({ era, protocolVersion, info, instructions }: ServerEdge): About {
  return { era, protocolVersion, info, ...(instructions === undefined ? {} : { instructions }) };
}

/** As it is kept. */
export function toKnownListing({ about, ...rest }: Known): KnownListing {
  const { era, protocolVersion, info, instructions } = about;
  const said: Record<string, JsonObject[string] | undefined> = {
    era,
    protocolVersion,
    info: info && { ...info },
    instructions,
  };
  const known = Object.entries(said).filter((entry): entry is [string, JsonObject[string]] => entry[1] !== undefined);
  return { ...rest, about: Object.fromEntries(known) };
}

export function toKnown({ about, ...rest }: KnownListing): Known {
  const era = findMember(about, 'era');
  const version = findString(about, 'protocolVersion');
  const info = findMember(about, 'info');
  const instructions = findString(about, 'instructions');
  return {
    ...rest,
    about: {
      ...(era === 'legacy' || era === 'modern' ? { era } : {}),
      ...(version === undefined ? {} : { protocolVersion: toPrintable(version, 40) }),
      ...(info === undefined ? {} : { info: toServerInfo(info) }),
      ...(instructions === undefined ? {} : { instructions }),
    },
  };
}
