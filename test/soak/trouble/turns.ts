/** The bad servers take their turns: each does something else every few seconds, told by a file. */
import { renameSync, writeFileSync } from 'node:fs';
import { badServers, type Scenery } from './scenery.ts';

/** What leaves a server its process. One that loses it again and again is left alone for long, and then nothing is seen of it. */
const gentle = ['hang', 'garbage', 'slow', 'huge', 'refuse', 'flood', 'freeze', 'honest'];
const turnsOf = new Map([
  ['bad-old1', gentle],
  ['bad-old2', ['garbage', 'crash', 'honest', 'hang', 'die', 'honest', 'slow', 'crash']],
  ['bad-new1', [...gentle, 'crash']],
  ['bad-web1', [...gentle, 'crash', 'die']],
]);
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
      const list = turnsOf.get(name) ?? gentle;
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
