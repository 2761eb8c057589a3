/** The faulty server over stdio, as an entry of a configuration. */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Era } from '../flows/support.ts';

const script = join(dirname(fileURLToPath(import.meta.url)), '../fixtures/faults/server.mjs');

export function stdioServer(era: Era, fault?: string): { command: string; args: string[] } {
  const named = fault === undefined ? [] : [`FAULT=${fault}`];
  return { command: process.execPath, args: [script, `ERA=${era}`, ...named] };
}
