/** The bad servers take their turns: each does something else every few seconds, told by a file. */
import { renameSync, writeFileSync } from 'node:fs';
import { badServers, type Scenery } from './scenery.ts';

/** What costs a server its process stands in a list of its own, because such a server is left alone for long after that. */
const gentle = ['hang', 'garbage', 'slow', 'huge', 'refuse', 'flood', 'freeze', 'honest'] as const;
const deadly = ['garbage', 'crash', 'honest', 'hang', 'die', 'honest', 'slow', 'crash'] as const;
const turnMs = 5_000;

export interface Turns {
  faultOf(server: string): string;
  /** Everybody behaves from here on. */
  stop(): void;
}

export function startTurns(scenery: Scenery): Turns {
  const faults = new Map<string, string>();
  let number = 0;
  const set = (name: string, fault: string) => {
    faults.set(name, fault);
    const file = scenery.turnFile(name);
    writeFileSync(`${file}.new`, `${number} ${fault}`);
    renameSync(`${file}.new`, file);
  };
  const next = () => {
    number++;
    for (const [at, { name }] of badServers.entries()) {
      const list = at % 2 === 0 ? gentle : deadly;
      set(name, list[(number + 2 * at) % list.length] ?? 'honest');
    }
  };
  next();
  const timer = setInterval(next, turnMs);
  return {
    faultOf: (server) => faults.get(server) ?? '',
    stop() {
      clearInterval(timer);
      number++;
      for (const { name } of badServers) set(name, 'honest');
    },
  };
}
