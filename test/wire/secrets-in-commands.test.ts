// @module-tag large
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { spellSecret } from '../../src/base/text/spell-secret.ts';
import { prepareProgram } from '../support/program.ts';
import { fixture } from '../support/servers.ts';

const secret = 'canary/Ünsafe+q7?w "x" 1234567890';
const env = { SECRET: '${CANARY}' };
const config = {
  mcpServers: {
    open: { ...fixture('telling'), env },
    unlisted: { ...fixture('telling', { UNLISTED: 1 }), env },
    dying: { ...fixture('telling', { DIE: 1 }), env },
    remote: { url: 'http://127.0.0.1:9/mcp', headers: { Authorization: 'Bearer ${CANARY}' } },
  },
};

function run(words: readonly string[], wanted: unknown = config): Promise<string> {
  const start = prepareProgram({ config: wanted, args: words, env: { CANARY: secret } });
  const log = join(start.dir, 'log');
  const args = [...start.args, ...(words[0] === 'serve' ? ['--log-file', log] : [])];
  const options = { env: { ...process.env, ...start.env } as NodeJS.ProcessEnv, cwd: start.dir };
  return new Promise((resolve) => {
    const child = execFile(start.command, args, options, (_error, stdout, stderr) => {
      resolve(`${stdout}\n${stderr}\n${words[0] === 'serve' ? readFileSync(log, 'utf8') : ''}`);
    });
    child.stdin?.end();
  });
}

/** What of a secret can be read, in any spelling; a few characters of an encoding may be left at its ends. */
function findLeaks(text: string): string[] {
  const pieces = [...spellSecret(secret)].flatMap((spelling) =>
    Array.from({ length: Math.max(1, spelling.length - 9) }, (_, at) => spelling.slice(at, at + 10)),
  );
  return [...new Set(pieces)].filter((piece) => text.includes(piece));
}

describe('a secret that servers repeat in every spelling', () => {
  it.each([
    [['list']],
    [['list', '--json']],
    [['check']],
    [['check', '--json']],
    [['check', 'dying']],
    [['tools']],
    [['tools', '--json']],
    [['tools', 'open', '--json']],
    [['call', 'open.refuse']],
    [['call', 'open.refuse', '--json']],
    [['call', 'open.refuse', '--debug']],
    [['call', 'open.fail']],
    [['call', 'open.fail', '--json']],
    [['call', 'dying.any']],
    [['call', 'unlisted.any', '--json']],
    [['call', 'remote.any']],
    [['auth', 'status']],
    [['auth', 'login', 'open']],
    [['ps']],
    [['serve', '--debug']],
  ])('a secret that servers repeat in every spelling is in nothing that %j prints', async (words) => {
    const text = await run(words);
    expect(text.trim()).not.toBe('');
    expect(findLeaks(text)).toEqual([]);
  });

  it('a secret that servers repeat in every spelling is shown by the name it came from', async () => {
    const { open } = config.mcpServers;
    for (const words of [['check'], ['call', 'open.refuse']])
      expect(await run(words, { mcpServers: { open } })).toContain('‹SECRET›');
  });
});
