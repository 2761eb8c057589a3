/** Tells what a reload did, to the caller and in the log. */
import type { Log } from '../../base/text/log.ts';
import type { Config } from '../../config/model/config.ts';
import { isFixed, type ReloadPlan } from './plan-reload.ts';

/** Servers by their keys. */
export interface Reload {
  /** Unchanged: their processes, sessions and calls were left alone. */
  readonly kept: readonly string[];
  readonly added: readonly string[];
  /** Defined in another way: a new server has replaced the old one, whose calls may end. */
  readonly replaced: readonly string[];
  readonly removed: readonly string[];
  /** Servers and toolboxes, by name, that are not in force because they have mistakes. */
  readonly leftOut: readonly string[];
  /** Other settings that have changed and are in force. */
  readonly settings: readonly string[];
  /** Settings that have changed and take effect when the Workbench is started again. */
  readonly later: readonly string[];
  /** Nothing had changed. */
  readonly same: boolean;
}

export function toReload({ keep, start, stop, leftOut, settings, same }: ReloadPlan): Reload {
  return {
    kept: [...keep.keys()],
    added: start.filter((key) => !stop.includes(key)),
    replaced: start.filter((key) => stop.includes(key)),
    removed: stop.filter((key) => !start.includes(key) && !leftOut.includes(key)),
    leftOut,
    settings: settings.filter((name) => !isFixed(name)),
    later: settings.filter(isFixed),
    same,
  };
}

export function logReload(log: Log, { same: _, later, ...done }: Reload): void {
  const said = Object.entries(done).filter(([, names]) => names.length > 0);
  log.info('configuration reloaded', Object.fromEntries(said.map(([what, names]) => [what, names.join(', ')])));
  if (later.length > 0)
    log.warn('settings have changed that take effect when the Workbench is started again', {
      settings: later.join(', '),
    });
}

/** The configuration that is in force after a reload: what a running service cannot change stays. */
export function withFixedSettings(after: Config, before: Config): Config {
  const live = Object.entries(after).filter(([name]) => !isFixed(name));
  const fixed = Object.entries(before).filter(([name]) => isFixed(name));
  return Object.fromEntries([...live, ...fixed]) as Config;
}
