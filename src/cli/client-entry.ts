/** What to paste into the configuration of a client, with absolute paths: clients started from a desktop find no others. */
import type { Program } from './io.ts';

export function toClientEntry({ node, file }: Program, configPath: string): string {
  return JSON.stringify(
    { mcpServers: { workbench: { command: node, args: [file, '--config', configPath] } } },
    null,
    2,
  );
}
