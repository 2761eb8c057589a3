/** What all work for one server has in common. Built once for each link and passed on by reference; a stage adds only what is its own. */
import type { Clock } from '../../base/async/clock.ts';
import type { Log } from '../../base/text/log.ts';
import type { Redactor } from '../../base/text/redact.ts';
import type { ServerDefinition } from '../../config/model/config.ts';
import type { Limits } from '../../config/model/schema-limits.ts';
import type { Identity } from '../era/edge.ts';
import type { Credentials } from '../http/credentials.ts';
import type { StartLocal } from '../process/process.ts';
import type { ProcessListener } from '../running/run-record.ts';
import type { Chain } from './chain.ts';
import type { ServerQuirks } from './server-quirks.ts';

export interface ServerContext {
  readonly definition: ServerDefinition;
  readonly identity: Identity;
  readonly clock: Clock;
  readonly limits: Limits;
  /** Names the server in every line. */
  readonly log: Log;
  readonly redactor: Redactor;
  /** What earlier connections and runs have found out about the server. */
  readonly quirks: ServerQuirks;
  /** In [0, 1); spreads restarts in time. */
  readonly random?: (() => number) | undefined;
  /** Takes the place of a process of the operating system. */
  readonly startLocal?: StartLocal | undefined;
  /** Hears which processes run. */
  readonly processes?: ProcessListener | undefined;
  /** Which Workbenches lead here; undefined where that does not matter. */
  readonly chain?: Chain | undefined;
  /** For a server reached by URL that wants more than configured headers. */
  readonly credentials?: Credentials | undefined;
}
