/** A child that speaks JSON-RPC line by line, told to whoever listens as it comes. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { JsonObject } from '../../src/base/json/json.ts';
import { parseLine } from '../support/wire-check.ts';

export interface LineChild {
  send(message: JsonObject): void;
  /** Ends its stdin and waits until it is gone; gives its exit code. */
  end(): Promise<number | null>;
  kill(): Promise<number | null>;
}

export interface LineChildStart {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly dir?: string;
}

/** Whoever starts it ends it. `text` is the line as it was written; a line that is no message fails the test that caused it. */
export function startLineChild(
  { command, args, env = {}, dir }: LineChildStart,
  onMessage: (message: JsonObject, text: string) => void,
): LineChild {
  const child = spawn(command, args, {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...process.env, ...env },
    ...(dir === undefined ? {} : { cwd: dir }),
  });
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
  child.on('error', () => {});
  // Writing to a child that has ended is no failure of the test: what it waits for fails instead.
  child.stdin.on('error', () => {});
  createInterface({ input: child.stdout }).on('line', (text) => {
    const message = parseLine(text);
    if (message === undefined) throw new Error(`no message on stdout: ${text.slice(0, 300)}`);
    onMessage(message, text);
  });
  return {
    send: (message) => void child.stdin.write(`${JSON.stringify(message)}\n`),
    end() {
      child.stdin.end();
      return exited;
    },
    kill() {
      child.kill('SIGKILL');
      return exited;
    },
  };
}
