/**
 * The entry to paste into the configuration of a client, with absolute paths: clients started from a desktop do not find others.
 */
import type { Program } from '../run/io.ts';

export function toClientEntry({ node, file }: Program, configPath: string): string {
  return JSON.stringify(
    { mcpServers: { workbench: { command: node, args: [file, '--config', configPath] } } },
    null,
    2,
  );
}

/** The same for an HTTP service. */
export function toHttpClientEntry(url: string, token: string | undefined): string {
  const headers = token === undefined ? {} : { headers: { Authorization: `Bearer ${token}` } };
  return JSON.stringify({ mcpServers: { workbench: { type: 'http', url, ...headers } } }, null, 2);
}
