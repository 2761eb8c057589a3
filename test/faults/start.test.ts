// @module-tag large
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'vitest';
import { tempDir } from '../support/processes.ts';
import { allFail, allWork, fails } from './fault.ts';
import { runEach } from './table.ts';

const short = { settings: { startTimeoutMs: 500 } };

describe('a fault at the start harms nobody else', () => {
  runEach({
    title: 'a server that',
    eras: ['legacy'],
    faults: () => [
      fails('exits at once without a word', /exited with code 0 before the handshake/),
      fails('exits at once with a code', /exited with code 3/),
      fails('exits at once and says why', /the data folder is missing/),
      fails('exits and names a missing variable', /put "GITHUB_API_TOKEN" into the "env"/),
      fails('exits after 1 MB of last words', /the very last reason/),
      fails('exits with escape sequences as last words', /fatal: red\\u\{7\}/),
      fails('exits with last words that are no UTF-8', /fatal: /),
      fails('exits with a stack trace', /cannot read the settings/),
      fails('rejects without a handler', /no such database/),
      fails('kills itself', /SIGKILL/),
      fails('dies of a segmentation fault', /SIGSEGV/),
      fails('dies of SIGTERM', /SIGTERM/),
      fails('exits after 100 ms', /exited with code 4/),
      fails('exits and leaves a child that holds its pipes', /exited with code 5/),
      fails('echoes what it is sent', /handshake/),
      fails('closes its stdout and lives on', /before the handshake/),
      fails('closes all its pipes and lives on', /before the handshake/),
      fails('prints a line of 70 MB first', /the limit is/),
      ...allFail(
        /did not answer the handshake within 0\.5 s/,
        [
          'hangs without reading',
          'spins without end',
          'reads everything and answers nothing',
          'closes its stdin and lives on',
          'freezes',
          'prints half a line and no newline',
        ],
        short,
      ),
      ...allWork([
        'is slow to start',
        'prints a banner first',
        'prints 10,000 lines first',
        'prints binary garbage first',
        'floods stderr with 50 MB first',
        'writes one line of 50 MB on stderr first',
        'answers before it is asked',
      ]),
    ],
  });

  const file = (name: string, text: string, mode: number) => {
    const path = join(tempDir(), name);
    writeFileSync(path, text);
    chmodSync(path, mode);
    return { command: path };
  };
  const folder = () => {
    const path = join(tempDir(), 'folder');
    mkdirSync(path);
    return path;
  };
  const commands = new Map<string, () => object>([
    ['is not on the PATH', () => ({ command: 'no-such-command-anywhere' })],
    ['is not where it should be', () => ({ command: '/nowhere/at/all/server' })],
    ['is a folder', () => ({ command: folder() })],
    ['may not be executed', () => file('server', '#!/bin/sh\n', 0o644)],
    ['has no interpreter', () => file('server', '#!/nowhere/interpreter\n', 0o755)],
    ['is empty', () => file('server', '', 0o755)],
    ['is binary garbage', () => file('server', '\u0000\u0001\u0002ELF\u0000', 0o755)],
    ['is a web page', () => file('server', '<!doctype html>\n<p>404\n', 0o755)],
    ['has a folder that is missing', () => ({ command: process.execPath, cwd: '/nowhere/at/all' })],
    ['has a folder that is a file', () => ({ command: process.execPath, cwd: process.execPath })],
    ['has an argument of 200 KB', () => ({ command: process.execPath, args: ['x'.repeat(200_000)] })],
    ['is a program that is no server', () => ({ command: process.execPath, args: ['--version'] })],
    ['is a program that never heard of MCP', () => ({ command: 'cat' })],
  ]);
  runEach({
    title: 'a server whose command',
    eras: ['legacy'],
    server: (_era, { name }) => commands.get(name)?.() ?? {},
    faults: () => [
      fails('is not on the PATH', /was not found/),
      fails('is not where it should be', /was not found/),
      fails('is a folder', /not/),
      fails('may not be executed', /not executable/),
      fails('has no interpreter', /first line/),
      fails('is empty', /exited with code 0/),
      fails('is binary garbage', /exited with code|not a program/),
      fails('is a web page', /exited with code|not a program/),
      fails('has a folder that is missing', /"cwd" does not exist/),
      fails('has a folder that is a file', /"cwd" is not a folder/),
      fails('has an argument of 200 KB', /E2BIG|exited/),
      fails('is a program that is no server', /exited with code 0/),
      fails('is a program that never heard of MCP', /handshake/),
    ],
  });
});
