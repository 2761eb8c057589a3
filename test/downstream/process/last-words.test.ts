import { describe, expect, it } from 'vitest';
import { toLastWords, toTelling } from '../../../src/downstream/process/last-words.ts';

/** What node, npm, python, sh and ssh wrote here, only paths changed; uvx, docker and the refused key of ssh in their known wording. */
const outputs: [who: string, text: string, cause: string][] = [
  [
    'node, for a file that is not there',
    `node:internal/modules/cjs/loader:1210
  throw err;
  ^

Error: Cannot find module '/home/me/missing.js'
    at Module._resolveFilename (node:internal/modules/cjs/loader:1207:15)
    at Module._load (node:internal/modules/cjs/loader:1038:27)
    at node:internal/main/run_main_module:28:49 {
  code: 'MODULE_NOT_FOUND',
  requireStack: []
}

Node.js v20.20.2`,
    "Error: Cannot find module '/home/me/missing.js'",
  ],
  [
    'node, for a package that is not there',
    `node:internal/modules/cjs/loader:1210
  throw err;
  ^

Error: Cannot find module 'nope-x'
Require stack:
- /home/me/a.js
    at Module._resolveFilename (node:internal/modules/cjs/loader:1207:15)
    at Module.load (node:internal/modules/cjs/loader:1266:32)
    at Function.executeUserEntryPoint [as runMain] (node:internal/modules/run_main:164:12) {
  code: 'MODULE_NOT_FOUND',
  requireStack: [ '/home/me/a.js' ]
}

Node.js v20.20.2`,
    "Error: Cannot find module 'nope-x'",
  ],
  [
    'node, for an import',
    `node:internal/modules/esm/resolve:873
  throw new ERR_MODULE_NOT_FOUND(packageName, fileURLToPath(base), null);
        ^

Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'nope-y' imported from /home/me/a.mjs
    at packageResolve (node:internal/modules/esm/resolve:873:9)
    at ModuleJob._link (node:internal/modules/esm/module_job:168:49) {
  code: 'ERR_MODULE_NOT_FOUND'
}

Node.js v20.20.2`,
    "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'nope-y' imported from /home/me/a.mjs",
  ],
  [
    'node, for what a program throws',
    `/home/me/t.js:1
throw new TypeError("bad settings file")
^

TypeError: bad settings file
    at Object.<anonymous> (/home/me/t.js:1:7)
    at node:internal/main/run_main_module:28:49

Node.js v20.20.2`,
    'TypeError: bad settings file',
  ],
  [
    'node, for a rejection',
    `[eval]:1
Promise.reject(new Error("API_KEY is not valid"))
               ^

Error: API_KEY is not valid
    at [eval]:1:16
    at node:internal/main/eval_string:51:3

Node.js v20.20.2`,
    'Error: API_KEY is not valid',
  ],
  [
    'node, for a mistake in a file',
    `/home/me/s.js:1
syntax error here (
       ^^^^^

SyntaxError: Unexpected identifier 'error'
    at wrapSafe (node:internal/modules/cjs/loader:1464:18)

Node.js v20.20.2`,
    "SyntaxError: Unexpected identifier 'error'",
  ],
  [
    'npx, for a package that does not exist',
    `npm warn Unknown user config "nodedir". This will stop working in the next major version of npm. See \`npm help npmrc\` for supported config options.
npm error code E404
npm error 404 Not Found - GET https://registry.npmjs.org/@nope%2fnothing-here
npm error 404
npm error 404  The requested resource '@nope/nothing-here@*' could not be found or you do not have permission to access it.
npm error 404
npm error 404 Note that you can also install from a
npm error 404 tarball, folder, http url, or git url.
npm error A complete log of this run can be found in: /home/me/.npm/_logs/2026-11-16T00_36_39_629Z-debug-0.log`,
    "npm error code E404 | npm error 404 Not Found - GET https://registry.npmjs.org/@nope%2fnothing-here | npm error 404  The requested resource '@nope/nothing-here@*' could not be found or you do not have permission to access it.",
  ],
  [
    'npm, for a folder without a package',
    `npm error code ENOENT
npm error syscall open
npm error path /home/me/package.json
npm error errno -2
npm error enoent Could not read package.json: Error: ENOENT: no such file or directory, open '/home/me/package.json'
npm error enoent This is related to npm not being able to find a file.
npm error enoent
npm error A complete log of this run can be found in: /home/me/.npm/_logs/x-debug-0.log`,
    "npm error code ENOENT | npm error enoent Could not read package.json: Error: ENOENT: no such file or directory, open '/home/me/package.json'",
  ],
  [
    'python, for a module that is not there',
    `Traceback (most recent call last):
  File "/home/me/server.py", line 1, in <module>
    import nopemod
ModuleNotFoundError: No module named 'nopemod'`,
    "ModuleNotFoundError: No module named 'nopemod'",
  ],
  [
    'python, for a reason of two lines',
    `Traceback (most recent call last):
  File "<string>", line 1, in <module>
ValueError: no token
set it`,
    'ValueError: no token | set it',
  ],
  ['python -m', '/usr/bin/python3: No module named nope', '/usr/bin/python3: No module named nope'],
  [
    'uvx, for a package that does not exist',
    `  × No solution found when resolving tool dependencies:
  ╰─▶ Because nope-x was not found in the package registry and you require
      nope-x, we can conclude that your requirements are unsatisfiable.`,
    '× No solution found when resolving tool dependencies: | ╰─▶ Because nope-x was not found in the package registry and you require | nope-x, we can conclude that your requirements are unsatisfiable.',
  ],
  [
    'docker, for an image that does not exist',
    `Unable to find image 'nope-x:latest' locally
docker: Error response from daemon: pull access denied for nope-x, repository does not exist or may require 'docker login': denied: requested access to the resource is denied.
See 'docker run --help'.`,
    "Unable to find image 'nope-x:latest' locally | docker: Error response from daemon: pull access denied for nope-x, repository does not exist or may require 'docker login': denied: requested access to the resource is denied.",
  ],
  [
    'docker, without a daemon',
    `docker: Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?

Run 'docker run --help' for more information`,
    'docker: Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?',
  ],
  ['sh', 'sh: 1: nosuchcmd: not found', 'sh: 1: nosuchcmd: not found'],
  ['bash', 'bash: line 1: nosuchcmd: command not found', 'bash: line 1: nosuchcmd: command not found'],
  [
    'sh, for a file it may not run',
    'sh: 1: exec: /etc/passwd: Permission denied',
    'sh: 1: exec: /etc/passwd: Permission denied',
  ],
  [
    'ssh, for a host that does not exist',
    `Pseudo-terminal will not be allocated because stdin is not a terminal.
ssh: Could not resolve hostname nohost.invalid: Name or service not known`,
    'ssh: Could not resolve hostname nohost.invalid: Name or service not known',
  ],
  [
    'ssh, for a key that is not accepted',
    `Warning: Permanently added 'host' (ED25519) to the list of known hosts.
me@host: Permission denied (publickey).`,
    'me@host: Permission denied (publickey).',
  ],
  ['a program that says no error', 'one\ntwo\nthree\nfour', 'two | three | four'],
  ['a program that says nothing', '\n  \n', ''],
];

describe('the cause of an exit', () => {
  it.each(outputs)('is found in what is said by %s', (_, text, cause) => {
    expect(toLastWords(text.split('\n'))).toBe(cause);
  });

  it('is not lost when much is said after it', () => {
    const chatter = Array.from({ length: 500 }, (_, n) => `shutting down worker ${n}`);
    expect(toLastWords(['Error: bad API key', ...chatter])).toContain('Error: bad API key');
  });

  it('is found in time, whatever is said', () => {
    const lines = Array.from({ length: 2_000 }, () => `npm error ${'a '.repeat(2_000)}`);
    expect(toLastWords(lines).length).toBeLessThanOrEqual(260);
  });
});

describe('the lines that are shown of an exit', () => {
  it('are those that say something', () => {
    const [, [, text]] = outputs as [unknown, [string, string, string]];
    expect(toTelling(text.split('\n'))).toEqual(["Error: Cannot find module 'nope-x'"]);
  });
});
