/** The built program beside a protected server: run to its end, or signed in by somebody who reads its stderr. */
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type ProgramStart, prepareProgram } from '../../support/program.ts';
import type { Place } from './support.ts';

export interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Desk extends ProgramStart {
  /** Written by whatever would open a browser. */
  readonly opened: string;
  run(args: readonly string[], onAddress?: (url: URL) => void): Promise<Run>;
}

/** One configuration, one state, any number of runs. */
export function openDesk({ server, issuer }: Pick<Place, 'server' | 'issuer'>): Desk {
  const config = { mcpServers: { guarded: { url: server.url, oauth: { issuer: issuer.issuer } } } };
  const start = prepareProgram({ config });
  const opened = join(start.dir, 'opened');
  const bin = join(start.dir, 'bin');
  mkdirSync(bin);
  const opener = join(bin, 'xdg-open');
  writeFileSync(opener, `#!/bin/sh\necho "$@" >> '${opened}'\n`);
  chmodSync(opener, 0o755);
  const env = { ...start.env, PATH: `${bin}${delimiter}${process.env.PATH}` };
  const [program = ''] = start.args;
  return {
    ...start,
    env,
    opened,
    run(args, onAddress) {
      const child = spawn(start.command, [program, ...args, '--config', start.configPath], {
        cwd: start.dir,
        env: { ...process.env, ...env },
        // Not ended: a person may still paste.
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      let [stdout, stderr, shown] = ['', '', false];
      child.stdout.on('data', (chunk) => {
        stdout += String(chunk);
      });
      child.stderr.on('data', (chunk) => {
        stderr += String(chunk);
        const address = /^ {2}(http\S+)\n/m.exec(stderr)?.[1];
        if (address === undefined || shown) return;
        shown = true;
        onAddress?.(new URL(address));
      });
      return new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })));
    },
  };
}
