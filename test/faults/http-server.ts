/** The faulty HTTP server: a process of its own, so that what it does costs nobody here. */
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { atEnd } from '../support/at-end.ts';

const script = join(dirname(fileURLToPath(import.meta.url)), '../fixtures/faults/http-server.mjs');

export interface FaultyHttp {
  readonly port: number;
}

export async function startFaultyHttp(): Promise<FaultyHttp> {
  const child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] });
  atEnd(() => child.stdin.end());
  const port = await new Promise<number>((resolve) =>
    createInterface({ input: child.stdout }).once('line', (line) => resolve(Number(line))),
  );
  return { port };
}
