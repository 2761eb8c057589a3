/** A mode that was chosen for all clients, by a flag or by an address, wins over the modes of single clients. */
import type { Mode } from '../../base/mode.ts';
import type { ClientSettings } from './config.ts';

export function withoutModes(
  clients: ReadonlyMap<string, ClientSettings>,
  chosen: Mode | undefined,
): ReadonlyMap<string, ClientSettings> {
  if (chosen === undefined || chosen === 'auto') return clients;
  return new Map([...clients].map(([id, { mode: _mode, ...settings }]) => [id, settings]));
}
