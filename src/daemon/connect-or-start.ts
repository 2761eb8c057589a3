/**
 * Connects to the daemon of a configuration, and starts it when there is none. When several processes do this at once, one of
 * them starts it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { takeLock } from '../state/lock.ts';
import { type ConnectDaemonOptions, connectDaemon, type DaemonConnection } from './connect-daemon.ts';
import type { DaemonPaths } from './daemon-paths.ts';

export interface ConnectOrStartOptions extends Omit<ConnectDaemonOptions, 'address'> {
  readonly place: DaemonPaths;
  /** The program and the arguments that make it a daemon. */
  readonly command: readonly [file: string, ...args: string[]];
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
}

export type ConnectedDaemon =
  | Exclude<DaemonConnection, { kind: 'absent' }>
  /** The daemon ended at once, most likely because of the configuration. */
  | { readonly kind: 'failed'; readonly code: number | null };

const maxStartMs = 20_000;
const pauseMs = 15;
/** The exit code of a daemon that finds another one at its address. */
const inUse = 7;

export async function connectOrStart(options: ConnectOrStartOptions): Promise<ConnectedDaemon> {
  const { place, signal } = options;
  const until = performance.now() + maxStartMs;
  let start: Start | undefined;
  let letGo: (() => void) | undefined;
  try {
    for (;;) {
      const meeting = await connectDaemon({ ...options, address: place.address });
      if (meeting.kind !== 'absent') return meeting;
      if (signal.aborted) return { kind: 'unusable', why: 'the start was interrupted' };
      if (start?.ended) {
        const { code } = start;
        // Another daemon was first, or this one was stopped at once: the one that listens now counts.
        if (code !== 0 && code !== inUse) return { kind: 'failed', code };
        start = undefined;
      }
      if (performance.now() > until) return { kind: 'unusable', why: 'the daemon does not start' };
      letGo ??= takeLock(place.startLock);
      if (letGo !== undefined) start ??= await startDaemon(options);
      await sleep(pauseMs);
    }
  } catch (error) {
    return { kind: 'unusable', why: error instanceof Error ? error.message : String(error) };
  } finally {
    letGo?.();
  }
}

interface Start {
  readonly ended: boolean;
  readonly code: number | null;
}

/** Detached from the start: it has none of our streams and does not end with us. */
async function startDaemon({ command: [file, ...args], env, place }: ConnectOrStartOptions): Promise<Start> {
  const { spawn } = await import('node:child_process');
  const start = { ended: false, code: null as number | null };
  const end = (code: number | null) => Object.assign(start, { ended: true, code });
  const options = { detached: true, stdio: 'ignore', windowsHide: true, env, cwd: place.folders[0] } as const;
  const child = spawn(file, args, options);
  child.once('error', () => end(null));
  child.once('exit', (code) => end(code));
  child.unref();
  return start;
}
