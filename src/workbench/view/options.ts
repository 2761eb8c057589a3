/** The options of a workbench. */
import type { Clock } from '../../base/async/clock.ts';
import type { Log } from '../../base/text/log.ts';
import type { Redactor } from '../../base/text/redact.ts';
import type { Config } from '../../config/model/config.ts';
import type { Identity } from '../../downstream/era/edge.ts';
import type { StartLocal } from '../../downstream/process/process.ts';
import type { ProcessListener } from '../../downstream/running/run-record.ts';
import type { Observer } from '../calls/observer.ts';

export interface WorkbenchOptions {
  readonly config: Config;
  readonly identity: Identity;
  readonly log?: Log;
  readonly clock?: Clock;
  /** Shared with the log, so that both hide the same secrets. */
  readonly redactor?: Redactor;
  /** Starts local servers instead of the operating system; for tests that drive them by hand. */
  readonly startLocal?: StartLocal;
  /** In [0, 1); spreads restarts of servers in time. */
  readonly random?: () => number;
  /** The state folder; nothing is kept without it. */
  readonly stateDir?: string;
  /** Ignores the lists that earlier runs have stored; new lists are still stored. */
  readonly fresh?: boolean;
  /** Is told which processes run. */
  readonly processes?: ProcessListener;
  /** Is told which clients come and which calls are made. */
  readonly observer?: Observer;
}
