/** Finds the server of a URI that a client sends, and the server's own URI. */

import { type RpcError, rpcCode, rpcError } from '../../base/rpc/rpc.ts';
import { quote, quoteList } from '../../base/text/error-text.ts';
import type { Kind } from '../../catalog/kind.ts';
import { matchesTemplate, mayRead } from '../../toolbox/may-read.ts';
import type { NameTable } from '../../toolbox/name-table.ts';
import type { Entry } from '../../toolbox/toolbox.ts';
import type { ServerPlace, WorkbenchView } from '../../workbench/view/workbench-view.ts';
import type { SessionContext } from '../front.ts';
import { uriMapOf } from '../uris/public-uris.ts';

export type ResourceNames = Readonly<Record<'resources' | 'resourceTemplates', { names(): NameTable }>>;
export type FoundResource = { readonly place: ServerPlace; readonly uri: string } | { readonly error: RpcError };

/**
 * The entry that is listed under this URI; otherwise the server that its label names; otherwise the only server that is known to
 * have the bare URI.
 */
export async function findResource(context: SessionContext, names: ResourceNames, uri: string): Promise<FoundResource> {
  const { bench } = context;
  const listed = findListed(names, uri);
  if (listed !== undefined) return listed;
  const unwrapped = uriMapOf(bench).unwrap(uri);
  const place = unwrapped && findPlace(bench, unwrapped.key, unwrapped.uri);
  if (place !== undefined) return { place, uri: unwrapped?.uri ?? uri };
  await bench.settled();
  return findListed(names, uri) ?? findOwner(context, uri);
}

function findListed({ resources, resourceTemplates }: ResourceNames, uri: string): FoundResource | undefined {
  const entry = resources.names().entries.get(uri) ?? resourceTemplates.names().entries.get(uri);
  return entry && { place: entry.address, uri: entry.address.name };
}

/** Any placement of the server whose filters keep the URI will do: the server is the same in all of them. */
function findPlace({ snapshot }: WorkbenchView, key: string, uri: string): ServerPlace | undefined {
  for (const toolbox of snapshot.toolboxes.values()) {
    for (const placement of toolbox.placements.values())
      if (placement.key === key && mayRead(toolbox, placement, uri))
        return { toolbox: toolbox.name, server: placement.server };
  }
  return undefined;
}

function findOwner(context: SessionContext, uri: string): FoundResource {
  const { bench } = context;
  const owners = findOwners(context, uri).filter((owner) => findPlace(bench, owner, uri) !== undefined);
  const [key, ...others] = owners;
  const place = key === undefined ? undefined : findPlace(bench, key, uri);
  if (place === undefined)
    return { error: rpcError(rpcCode.resourceNotFound, `Resource ${quote(uri)} not found.`, { uri }) };
  if (others.length === 0) return { place, uri: findOwnUri(bench, place, uri) };
  const { label } = uriMapOf(bench);
  const candidates = owners.map((owner) => label(owner, uri));
  return {
    error: rpcError(
      rpcCode.invalidParams,
      `Several servers may have the resource ${quote(uri)}. Name the one you mean: ${quoteList(candidates, String)}`,
      { candidates },
    ),
  };
}

/** The server's own URI of a listed entry, which may be shown without some characters. */
function findOwnUri({ snapshot }: WorkbenchView, { toolbox, server }: ServerPlace, uri: string): string {
  return snapshot.toolboxes.get(toolbox)?.index.resources.get(server)?.get(uri)?.item.name ?? uri;
}

/**
 * Keys of the servers that list the URI; otherwise of those with a template for it; otherwise of those that have linked to it;
 * otherwise of the only server with resources.
 */
function findOwners({ bench, links }: SessionContext, uri: string): string[] {
  const entriesOf = (kind: Kind) => [...bench.snapshot.toolboxes.values()].flatMap(({ entries }) => entries[kind]);
  const keysOf = (entries: readonly Entry[]) => [...new Set(entries.map(({ key }) => key))];
  const listing = keysOf(entriesOf('resources').filter(({ item }) => item.name === uri || item.shown === uri));
  if (listing.length > 0) return listing;
  const templates = entriesOf('resourceTemplates');
  // A label without a server leads nowhere, unless a server begins its own URIs like that.
  const isForeign = uriMapOf(bench).isLabelled(uri);
  const candidates = isForeign ? templates.filter(({ item }) => /^[^{]*\+/.test(item.name)) : templates;
  const matching = keysOf(candidates.filter(({ item }) => matchesTemplate(uri, item.name)));
  if (matching.length > 0) return matching;
  const linking = links.find(uri).filter((key) => findPlace(bench, key, uri) !== undefined);
  if (linking.length > 0 || isForeign) return linking;
  const offering = keysOf([...entriesOf('resources'), ...templates]);
  return offering.length === 1 ? offering : [];
}
