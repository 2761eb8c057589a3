/**
 * Decides when one server may be started, and restarts it when it was lost. Owns only the timer of the next restart: its caller
 * tells it what happens to the server.
 */
import type { Clock } from '../../base/async/clock.ts';
import type { ErrorCode } from '../../base/errors/errors.ts';
import { createBreaker } from './breaker.ts';
import { createStartBudget, toRestartDelay } from './restart-pace.ts';

export interface SupervisorOptions {
  readonly clock: Clock;
  /** In [0, 1). */
  random(): number;
  /** The server is wanted even when no client uses it. */
  readonly eager: boolean;
  restart(): void;
}

export interface Supervisor {
  readonly isDown: boolean;
  /** For a server that is not running: when it is tried by itself, or the earliest time when it may be tried. */
  readonly retryAt: number | undefined;
  /** How long a start for a call has to wait; undefined when another caller makes the one try that is allowed. */
  readonly waitMs: number | undefined;
  /** How long a start must hold back after a failure that only a person can repair. */
  readonly holdBackMs: number;
  began(how: 'start' | 'wake'): void;
  ready(): void;
  /** The start that was begun has failed. */
  failed(code: ErrorCode): void;
  /** The server was ready and is gone. */
  lost(): void;
  /** The server was ready and was ended because no client used it. */
  slept(): void;
  close(): void;
}

const healthMs = 60_000;
const holdBackMs = 1_000;

/** Failures that waiting does not heal: a person has to do something first. */
const incurable: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'WB1001',
  'WB1002',
  'WB1016',
  'WB1023',
  'WB1201',
  'WB1202',
  'WB1203',
  'WB1204',
  'WB1205',
  'WB1208',
  'WB1308',
  'WB1312',
]);

export function createSupervisor({ clock, random, eager, restart }: SupervisorOptions): Supervisor {
  const breaker = createBreaker();
  const budget = createStartBudget();
  /** The server is wanted even without a call. */
  let wanted = eager;
  let restarts = 0;
  let spent = false;
  let readyAt: number | undefined;
  /** Time without a failure; sleep does not count. */
  let healthyMs = 0;
  let incurableAt = Number.NEGATIVE_INFINITY;
  let restartAt: number | undefined;
  let stopTimer = () => {};
  let closed = false;

  const cancelRestart = () => {
    stopTimer();
    restartAt = undefined;
  };

  const planRestart = () => {
    cancelRestart();
    // A server that is down is left to the next call, unless the configuration says `eager`.
    if (breaker.openUntil !== undefined) wanted = eager;
    if (closed || !wanted) return;
    const now = clock.now();
    const paced = breaker.openUntil ?? now + toRestartDelay(restarts++, random());
    restartAt = Math.max(paced, budget.earliest());
    stopTimer = clock.after(restartAt - now, () => {
      restartAt = undefined;
      restart();
    });
  };

  /** Whether the server has been healthy long enough to forget earlier failures. */
  const countHealth = (): boolean => {
    if (readyAt !== undefined) healthyMs += clock.now() - readyAt;
    readyAt = undefined;
    if (healthyMs < healthMs) return false;
    breaker.reset();
    restarts = 0;
    return true;
  };

  return {
    get isDown() {
      return breaker.openUntil !== undefined;
    },
    get retryAt() {
      return restartAt ?? breaker.openUntil;
    },
    get waitMs() {
      if (breaker.probing) return undefined;
      return breaker.openUntil === undefined ? 0 : Math.max(0, breaker.openUntil - clock.now());
    },
    get holdBackMs() {
      return Math.max(0, incurableAt + holdBackMs - clock.now());
    },
    began(how) {
      cancelRestart();
      breaker.began();
      spent = how === 'start';
      if (spent) budget.spend(clock.now());
    },
    ready() {
      breaker.succeeded();
      wanted = eager;
      readyAt = clock.now();
      incurableAt = Number.NEGATIVE_INFINITY;
    },
    failed(code) {
      healthyMs = 0;
      if (incurable.has(code)) {
        incurableAt = clock.now();
        wanted = false;
        breaker.reset();
        if (spent) budget.refund();
      } else breaker.failed(clock.now());
      planRestart();
    },
    lost() {
      if (!countHealth()) breaker.failed(clock.now());
      healthyMs = 0;
      wanted = true;
      planRestart();
    },
    slept() {
      countHealth();
      wanted = false;
    },
    close() {
      closed = true;
      cancelRestart();
    },
  };
}
