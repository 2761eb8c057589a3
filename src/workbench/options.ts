/** What a workbench is made of. */
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Redactor } from '../base/redact.ts';
import type { Config } from '../config/config.ts';
import type { Identity } from '../downstream/edge.ts';
import type { StartLocal } from '../downstream/process.ts';
import type { ProcessListener } from '../downstream/running/keep-record.ts';
import type { Observer } from './observer.ts';

export interface WorkbenchOptions {
  readonly config: Config;
  readonly identity: Identity;
  readonly log?: Log;
  readonly clock?: Clock;
  /** Shared with the log, so that what one learns the other hides. */
  readonly redactor?: Redactor;
  /** Starts local servers instead of the operating system; for tests that drive them by hand. */
  readonly startLocal?: StartLocal;
  /** In [0, 1); spreads restarts of servers in time. */
  readonly random?: () => number;
  /** Folder for what is remembered between runs; nothing is remembered without it. */
  readonly stateDir?: string;
  /** Believes nothing that earlier runs have kept of what servers offer; what is heard is kept all the same. */
  readonly fresh?: boolean;
  /** Is told which processes there are. */
  readonly processes?: ProcessListener;
  /** Is told who comes and which calls are made. */
  readonly observer?: Observer;
}
