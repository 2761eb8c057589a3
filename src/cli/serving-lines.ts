/** What a service tells on stderr when it begins, of the configuration it serves. */
import type { Config } from '../index.ts';
import { findFreshNotes, toNoteLine } from './config-notes.ts';
import { toCount } from './count.ts';

export function toServingLines(config: Config, version: string, stateDir?: string): string[] {
  const count = `${toCount(config.servers.size, 'server')} in ${toCount(config.toolboxes.size, 'toolbox', 'toolboxes')}`;
  return [
    ...findFreshNotes(config, stateDir).map((note) => `note ${toNoteLine(note)}`),
    `mcp-workbench ${version}: serving ${count}, mode ${config.mode}; trouble? mcp-workbench check --config ${JSON.stringify(config.path ?? '')}`,
  ];
}
