/** What a reload did, for whoever is told of it. */
import type { Log } from '../base/log.ts';
import type { Config } from '../config/config.ts';
import { fixedSettings, type ReloadPlan, type Setting } from './plan-reload.ts';

/** Servers by their keys. */
export interface Reload {
  /** The same as before: their processes, sessions and calls were left alone. */
  readonly kept: readonly string[];
  readonly added: readonly string[];
  /** Defined in another way: a new one has taken the place of the old one, whose calls may end. */
  readonly replaced: readonly string[];
  readonly removed: readonly string[];
  /** Servers and toolboxes, by name, that are not in force because something about them is wrong. */
  readonly leftOut: readonly string[];
  /** Other settings that have changed and are in force. */
  readonly settings: readonly string[];
  /** Settings that have changed and take effect when the Workbench is started again. */
  readonly later: readonly string[];
  /** Nothing had changed. */
  readonly same: boolean;
}

export function toReload({ keep, start, stop, leftOut, settings, same }: ReloadPlan): Reload {
  const isFixed = (name: Setting) => fixedSettings.has(name);
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

/** A configuration in force after a reload: what a running service cannot change stays. */
export function withFixedSettings(after: Config, before: Config): Config {
  const { auth: _, ...rest } = after;
  const auth = before.auth === undefined ? {} : { auth: before.auth };
  return { ...rest, ...auth, http: before.http, limits: before.limits, keepCatalog: before.keepCatalog };
}
