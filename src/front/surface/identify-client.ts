/** Which row of the table a client has. What a client says about itself decides only how it is shown things, never what it may use. */
import type { ClientRow } from '../../clients/client-row.ts';
import { genericClient } from '../../clients/client-table.ts';
import { clientIds, findClientById, findClientByName, normalizeClientName } from '../../clients/find-client.ts';
import type { ClientSettings, Config } from '../../config/model/config.ts';

export interface Who {
  /** Stated by the person who set the client up: by a flag, an address or a credential. */
  readonly id: string | undefined;
  /** The name that it gives itself; undefined for a client that is told apart by nothing that changes with the connection. */
  readonly name: string | undefined;
}

export interface Identified {
  readonly row: ClientRow;
  /** What the configuration says about it. */
  readonly own: ClientSettings | undefined;
}

export function identifyClient({ clients }: Pick<Config, 'clients'>, { id, name }: Who): Identified {
  const found = id ?? (name === undefined ? undefined : findClientNamed(clients, name));
  const row = found === undefined ? genericClient : (findClientById(found) ?? findOwnRow(clients, found));
  return { row, own: clients.get(row.id) };
}

/** The id of a client by a name; names in the configuration come first. */
export function findClientNamed(clients: Config['clients'], name: string): string | undefined {
  const wanted = normalizeClientName(name);
  for (const [id, { names }] of clients) if (names?.includes(wanted) === true) return id;
  return findClientByName(name)?.id;
}

/** The ids by which a person may name a client. */
export function listClientIds({ clients }: Pick<Config, 'clients'>): string[] {
  return [...new Set([...clientIds, genericClient.id, ...clients.keys()])];
}

export function isClientId(config: Pick<Config, 'clients'>, id: string): boolean {
  return listClientIds(config).includes(id);
}

/** A client that only the configuration knows. Any other id is that of an unknown client. */
function findOwnRow(clients: Config['clients'], id: string): ClientRow {
  return clients.has(id) ? { ...genericClient, id, title: id } : genericClient;
}
