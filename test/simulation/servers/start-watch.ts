/**
 * Holds the Workbench to when it starts one server: by itself after a loss, in ever longer steps and not too often; not at all for a
 * while after too many failures in a row. Counted from what is said of the server alone, by the rules of decision 16.
 */
import type { LinkState } from '../../../src/downstream/link/link-status.ts';

const healthMs = 60_000;
const failuresInRow = 5;
const budget = { starts: 5, withinMs: 60_000 };
const restartMs = { first: 500, longest: 30_000 };
const downMs = { first: 30_000, longest: 300_000 };

export interface StartWatch {
  /** `alone`: no call, no client and no reload made it so, only time. */
  became(state: LinkState, at: { readonly now: number; readonly alone: boolean }): void;
  /** All times have passed. */
  checkRest(): void;
}

export interface StartWatchOptions {
  readonly eager: boolean;
  /** Of the one start that was made before anybody watched. */
  readonly startedAt: number | undefined;
  fail(fault: string): void;
}

export function createStartWatch({ eager, startedAt, fail }: StartWatchOptions): StartWatch {
  let state: LinkState = startedAt === undefined ? 'configured' : 'starting';
  let starts = startedAt === undefined ? [] : [startedAt];
  let readyAt = 0;
  /** Since the last failure, sleep left out. */
  let healthyMs = 0;
  let wanted = eager;
  let failures = 0;
  let downs = 0;
  let restarts = 0;
  let downUntil: number | undefined;
  /** When it has to be started by itself. */
  let due: { readonly from: number; readonly to: number } | undefined;

  const isHealthy = (now: number) => {
    healthyMs += now - readyAt;
    if (healthyMs < healthMs) return false;
    failures = downs = restarts = 0;
    return true;
  };
  const struck = (now: number) => {
    const lost = state === 'ready';
    if (!(lost && isHealthy(now))) failures++;
    healthyMs = 0;
    wanted ||= lost;
    if (failures >= failuresInRow) {
      downUntil = now + toSteps(downMs, downs++);
      wanted = eager;
    }
    due = wanted ? toDue(now) : undefined;
  };
  const toDue = (now: number) => {
    const affordable = starts.length < budget.starts ? now : starts[0]! + budget.withinMs;
    const step = downUntil === undefined ? toSteps(restartMs, restarts++) : 0;
    const [from, to] = [downUntil ?? now + step / 2, downUntil ?? now + step];
    return { from: Math.max(from, affordable), to: Math.max(to, affordable) };
  };
  const started = (now: number, alone: boolean) => {
    // Whoever wants to call it may find out before anybody else that it is gone.
    if (state === 'ready') struck(now);
    if (downUntil !== undefined && now < downUntil) fail(`is tried at ${now} although it is down until ${downUntil}`);
    const again = alone && state !== 'configured';
    if (again && due === undefined) fail('is started again although nobody wants it');
    else if (again && (now < due!.from || now > due!.to))
      fail(`is started again at ${now} instead of between ${due!.from} and ${due!.to}`);
    due = undefined;
    if (state !== 'sleeping') starts = [...starts, now].slice(-budget.starts);
  };

  return {
    became(next, { now, alone }) {
      if (next === state) return;
      if (next === 'starting') started(now, alone);
      else if (next === 'ready') {
        if (downUntil !== undefined) failures = failuresInRow - 1;
        downUntil = undefined;
        wanted = eager;
        readyAt = now;
      } else if (next === 'sleeping') {
        isHealthy(now);
        wanted = false;
      } else {
        struck(now);
        const expected = downUntil === undefined ? 'failing' : 'down';
        if (next !== expected) fail(`is ${next} after ${failures} failures in a row`);
      }
      state = next;
    },
    checkRest() {
      if (due !== undefined) fail(`was to be started again until ${due.to}`);
    },
  };
}

function toSteps({ first, longest }: { readonly first: number; readonly longest: number }, earlier: number): number {
  return Math.min(first * 2 ** earlier, longest);
}
