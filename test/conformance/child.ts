/** A program that runs beside the suite and ends with its measurement, together with all it started. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Child {
  /** The first match in what the program writes, on either stream. */
  find(pattern: RegExp): Promise<string>;
  stop(): Promise<void>;
}

const patienceMs = 20_000;

export function startChild(args: readonly string[], env: Readonly<Record<string, string>> = {}): Child {
  const child = spawn(process.execPath, args, {
    detached: process.platform !== 'win32',
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      child.emit('output');
    });
  return {
    async find(pattern) {
      const limit = AbortSignal.timeout(patienceMs);
      for (;;) {
        const found = pattern.exec(output);
        if (found !== null) return found[0];
        if (child.exitCode !== null) throw new Error(`${args[0]} ended before it was ready:\n${output.slice(-2_000)}`);
        await Promise.race([once(child, 'output', { signal: limit }), once(child, 'exit', { signal: limit })]);
      }
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      end(child, 'SIGTERM');
      const timer = setTimeout(() => end(child, 'SIGKILL'), 5_000);
      await gone.finally(() => clearTimeout(timer));
    },
  };
}

function end(child: ChildProcess, signal: NodeJS.Signals): void {
  const { pid } = child;
  if (pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-pid, signal);
  } catch {
    // It has ended by itself.
  }
}
