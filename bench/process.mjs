/** The processes of the bench: started, looked at from outside, and ended, all of them, however the bench ends. */
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

const running = new Set();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));

/** How long a process may take to end by itself. */
const patienceMs = 5_000;

/**
 * What makes processes alike, because the Workbench does both for the servers it starts. Variables for Node can make its start
 * twice as long. A session of its own is a share of the processor of its own, where the system shares it among sessions.
 */
const isPlain = ([name]) => process.env.BENCH_AS_IS === '1' || !name.startsWith('NODE_');
const plainEnv = Object.fromEntries(Object.entries(process.env).filter(isPlain));
const alike = { detached: process.platform !== 'win32', windowsHide: true };

/** A Node program with all three streams as pipes. What it says on stderr is kept, for when it fails. */
export function startNode(args, { env = {} } = {}) {
  const child = spawn(process.execPath, args, { ...alike, env: { ...plainEnv, ...env }, stdio: 'pipe' });
  running.add(child);
  let said = '';
  child.stderr.on('data', (text) => {
    said = (said + text).slice(-10_000);
  });
  child.stdin.on('error', () => {});
  const ended = new Promise((resolve) =>
    child.once('close', () => {
      running.delete(child);
      resolve();
    }),
  );
  return {
    pid: child.pid,
    stdin: child.stdin,
    stdout: child.stdout,
    stderr: child.stderr,
    ended,
    said: () => said,
    /** Ends it as its client would: by closing its input, then by a signal. */
    async stop({ signal } = {}) {
      child.stdin.end();
      if (signal !== undefined) child.kill(signal);
      const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs);
      await ended;
      clearTimeout(timer);
    },
  };
}

/** The first match in what a process says on one of its streams. */
export function waitFor(program, stream, pattern) {
  return new Promise((resolve, reject) => {
    let text = '';
    program[stream].on('data', (chunk) => {
      text += chunk;
      const found = pattern.exec(text);
      if (found !== null) resolve(found[1]);
    });
    program.ended.then(() => reject(new Error(`the program ended before it was ready: ${program.said()}`)));
  });
}

/** Resident memory in MB, or undefined where it cannot be had. */
export function residentMb(pid) {
  try {
    if (process.platform === 'linux') {
      const found = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
      return found === null ? undefined : Number(found[1]) / 1024;
    }
    if (process.platform === 'win32') return undefined;
    return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024;
  } catch {
    return undefined;
  }
}

/** Processor time used so far in ms (in steps of 10), or undefined where it cannot be had. */
export function cpuMs(pid) {
  if (process.platform !== 'linux') return undefined;
  try {
    // The name stands in parentheses and may hold anything, so counting begins behind it.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return undefined;
  }
}
