/** Binds the address of a daemon: only one process can have it, and the socket that a killed daemon left behind is replaced. */
import { chmodSync, lstatSync, renameSync, rmSync } from 'node:fs';
import type { Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from '../base/errors/code-of.ts';
import { takeLock } from '../state/lock.ts';
import { connectDaemon } from './connect-daemon.ts';
import type { DaemonPaths } from './daemon-paths.ts';

export interface BoundAddress {
  /** Whether connections to the address still reach us: another process may have removed the file. */
  isOurs(): boolean;
  /** Frees the address for the next daemon. */
  release(): void;
}

/** `inUse`: the process that has it. */
export type Taking = BoundAddress | { readonly inUse: number } | { readonly why: string };

const maxWaitMs = 15_000;
const pauseMs = 20;

export async function bindAddress(server: Server, place: DaemonPaths, secret: Buffer): Promise<Taking> {
  const until = performance.now() + maxWaitMs;
  for (;;) {
    const letGo = takeLock(place.bindLock);
    if (letGo !== undefined) {
      try {
        return await take(server, place, secret);
      } finally {
        letGo();
      }
    }
    if (performance.now() > until) return { why: `${place.bindLock} is held by another process` };
    await sleep(pauseMs);
  }
}

/** The lock is held: no other daemon binds the address now. */
async function take(server: Server, { address, isFile }: DaemonPaths, secret: Buffer): Promise<Taking> {
  const meeting = await connectDaemon({ address, secret, want: 'status' });
  if (meeting.kind === 'met') {
    meeting.socket.destroy();
    return { inUse: meeting.greeting.pid };
  }
  if (meeting.kind === 'unusable') return { why: `${address}: ${meeting.why}` };
  try {
    if (!isFile) {
      await listen(server, address);
      return { isOurs: () => true, release() {} };
    }
    // Listens before it can be found. Node removes the path that was listened on at the end: not this one, which may belong to
    // another daemon by then.
    const draft = `${address}.${process.pid}`;
    rmSync(draft, { force: true });
    await listen(server, draft);
    chmodSync(draft, 0o600);
    const own = findFile(draft);
    renameSync(draft, address);
    const isOurs = () => own !== undefined && findFile(address) === own;
    return { isOurs, release: () => (isOurs() ? rmSync(address, { force: true }) : undefined) };
  } catch (error) {
    return { why: `${address} cannot be listened on (${codeOf(error)})` };
  }
}

function findFile(path: string): string | undefined {
  try {
    const { dev, ino } = lstatSync(path);
    return `${dev} ${ino}`;
  } catch {
    return undefined;
  }
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
