/** What a service tells on stderr when it begins, of the configuration it serves. */
import { type Config, toOwnCommand } from '../index.ts';
import { findConfigNotes, toNoteLine } from './config-notes.ts';
import { toCount } from './count.ts';

export function toServingLines(config: Config, version: string): string[] {
  const count = `${toCount(config.servers.size, 'server')} in ${toCount(config.toolboxes.size, 'toolbox', 'toolboxes')}`;
  return [
    ...findConfigNotes(config).map((note) => `note ${toNoteLine(note)}`),
    `mcp-workbench ${version}: serving ${count}, mode ${config.mode}; trouble? ${toOwnCommand(['check'])}`,
  ];
}
