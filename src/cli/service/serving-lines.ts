/** The lines about its configuration that a service prints on stderr when it starts. */
import { type Config, listLeftOut, toOwnCommand } from '../../index.ts';
import { pluralize } from '../output/pluralize.ts';
import { findFreshNotes, toNoteLine } from './config-notes.ts';

export function toServingLines(config: Config, version: string, stateDir?: string): string[] {
  const count = `${pluralize(config.servers.size, 'server')} in ${pluralize(config.toolboxes.size, 'toolbox', 'toolboxes')}`;
  return [
    ...findFreshNotes(config, stateDir).map((note) => `note ${toNoteLine(note)}`),
    ...toLeftOutLines(config),
    `mcp-workbench ${version}: serving ${count}, mode ${config.mode}; trouble? ${toOwnCommand(['check'])}`,
  ];
}

/** In short: `check` says more. */
function toLeftOutLines({ leftOut }: Config): string[] {
  if (leftOut === undefined) return [];
  const items = listLeftOut(leftOut).map(({ what, code }) => `${what} (${code})`);
  return [`WB1410 left out because of mistakes in the configuration: ${items.join(', ')}`];
}
