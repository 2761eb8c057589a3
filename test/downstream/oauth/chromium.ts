/** A real browser without a window, driven over a pipe in its own protocol. */
import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { atEnd } from '../../support/at-end.ts';
import { tempDir } from '../../support/processes.ts';

/** Where Chromium is, or undefined. */
export function findChromium(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
  const candidates = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [process.env.CHROMIUM, ...candidates].find((path) => path !== undefined && isExecutable(path));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export interface Page {
  /** The value of an expression in the page, or undefined while the page is between two documents. */
  read(expression: string): Promise<unknown>;
}

export async function openPage(chromium: string, url: URL): Promise<Page> {
  const profile = tempDir();
  const child = spawn(
    chromium,
    ['--headless=new', '--no-sandbox', '--disable-gpu', '--remote-debugging-pipe', `--user-data-dir=${profile}`],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'], detached: true },
  );
  atEnd(async () => {
    const gone = new Promise((resolve) => child.once('close', resolve));
    // With its helpers, which would go on writing into the profile while it is removed.
    process.kill(-(child.pid as number), 'SIGKILL');
    await gone;
  });
  const ask = createConversation(child.stdio[3] as Writable, child.stdio[4] as Readable);
  const { targetId } = await ask('Target.createTarget', { url: url.href });
  const { sessionId } = await ask('Target.attachToTarget', { targetId: String(targetId), flatten: true });
  return {
    async read(expression) {
      const params = { expression, returnByValue: true };
      const { result } = await ask('Runtime.evaluate', params, String(sessionId)).catch(() => ({ result: {} }));
      return (result as JsonObject).value;
    },
  };
}

type Ask = (method: string, params: JsonObject, sessionId?: string) => Promise<JsonObject>;

/** Messages are JSON with a NUL behind each. */
function createConversation(output: Writable, input: Readable): Ask {
  const waiting = new Map<number, { resolve(result: JsonObject): void; reject(error: Error): void }>();
  let held = '';
  input.on('data', (chunk: Buffer) => {
    held += chunk.toString('utf8');
    const messages = held.split('\0');
    held = messages.pop() ?? '';
    for (const text of messages) {
      const { id, result, error } = JSON.parse(text) as {
        id?: number;
        result?: JsonObject;
        error?: { message: string };
      };
      const waiter = waiting.get(id ?? -1);
      if (error === undefined) waiter?.resolve(result ?? {});
      else waiter?.reject(new Error(error.message));
    }
  });
  let last = 0;
  return (method, params, sessionId) =>
    new Promise((resolve, reject) => {
      const id = ++last;
      waiting.set(id, { resolve, reject });
      output.write(`${JSON.stringify({ id, method, params, ...(sessionId === undefined ? {} : { sessionId }) })}\0`);
    });
}
