import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openBoundedFile } from '../../src/cli/bounded-file.ts';
import { parseGreeting, parseHello } from '../../src/daemon/first-lines.ts';
import { isProof, prove } from '../../src/daemon/proof.ts';
import { openSecret } from '../../src/daemon/secret.ts';
import { findDifferent, sealVariables } from '../../src/daemon/variables.ts';
import { tempDir } from '../support/processes.ts';

const secret = Buffer.alloc(32, 1);
const owner = { platform: process.platform, uid: process.getuid?.() };

describe('the secret', () => {
  it('is made once, whole, and for its owner only', () => {
    const secretFile = join(tempDir(), 'secret');
    const made = openSecret({ secretFile }, owner);
    expect(made).toHaveLength(32);
    expect(openSecret({ secretFile }, owner)).toEqual(made);
    expect(readdirSync(join(secretFile, '..'))).toEqual(['secret']);
    if (process.platform !== 'win32') expect(statSync(secretFile).mode & 0o777).toBe(0o600);
  });

  it('is not taken from a file that holds something else', () => {
    const secretFile = join(tempDir(), 'secret');
    writeFileSync(secretFile, 'password', { mode: 0o600 });
    expect(() => openSecret({ secretFile }, owner)).toThrow('does not hold a secret of the Workbench');
  });
});

describe('a proof', () => {
  const nonces = { daemon: 'a', shim: 'b' };

  it('is right for its secret, its side and its nonces only', () => {
    const right = prove(secret, 'shim', nonces);
    expect(isProof(right, right)).toBe(true);
    const others = [
      prove(Buffer.alloc(32, 2), 'shim', nonces),
      prove(secret, 'daemon', nonces),
      prove(secret, 'shim', { daemon: 'b', shim: 'a' }),
      '',
      `${right}0`,
      'ä'.repeat(32),
    ];
    expect(others.map((other) => isProof(other, right))).toEqual(others.map(() => false));
  });

  it('of variables tells which one differs and no value', () => {
    const there = { secret, env: { A: 'apple-pie', B: '' }, platform: 'linux' } as const;
    const variables = sealVariables(['A', 'B', 'C', 'constructor'], there);
    expect(JSON.stringify(variables)).not.toContain('apple-pie');
    expect(findDifferent({ variables }, there)).toBeUndefined();
    const here = (env: Record<string, string>) => findDifferent({ variables }, { ...there, env });
    expect(here({ A: 'apple-pie' })).toBe('B');
    expect(here({ A: 'apple', B: '' })).toBe('A');
    expect(here({ A: 'apple-pie', B: '', C: '' })).toBe('C');
  });

  it('of variables takes names as Windows does, there', () => {
    const variables = sealVariables(['Path'], { secret, env: { PATH: 'x' }, platform: 'win32' });
    expect(findDifferent({ variables }, { secret, env: { path: 'x' }, platform: 'win32' })).toBeUndefined();
    expect(findDifferent({ variables }, { secret, env: { path: 'x' }, platform: 'linux' })).toBe('Path');
  });
});

describe('a first line', () => {
  it.each(['', '{}', '[]', 'null', '{"nonce":1}', '{"nonce":"a","proof":"b","want":"toString"}', '{"want":"attach"}'])(
    'that is %j is no hello',
    (line) => {
      expect(parseHello(line)).toBeUndefined();
    },
  );

  it('with more than a hello needs is a hello without it', () => {
    const line =
      '{"nonce":"a","proof":"b","want":"attach","mode":"flat","name":3,"__proto__":{"version":"9"},"other":1}';
    expect(parseHello(line)).toEqual({ nonce: 'a', proof: 'b', want: 'attach', goesOn: false, mode: 'flat' });
  });

  it.each(['{}', '{"pid":"1"}', 'no JSON'])('that is %j is no greeting', (line) => {
    expect(parseGreeting(line)).toBeUndefined();
  });
});

describe('the log file of a daemon', () => {
  it('never takes more than twice its size, and keeps the newest lines', () => {
    const path = join(tempDir(), 'daemon.log');
    const file = openBoundedFile(path, 100);
    for (let at = 0; at < 50; at++) file.write(`line ${at}\n`);
    file.close();
    expect(statSync(path).size).toBeLessThanOrEqual(100);
    expect(statSync(`${path}.old`).size).toBeLessThanOrEqual(100);
    expect(readFileSync(`${path}.old`, 'utf8') + readFileSync(path, 'utf8')).toMatch(/^(line \d+\n)+line 49\n$/);
  });

  it('goes on where the run before ended', () => {
    const path = join(tempDir(), 'daemon.log');
    for (const text of ['first\n', 'second\n']) {
      const file = openBoundedFile(path, 100);
      file.write(text);
      file.close();
    }
    expect(readFileSync(path, 'utf8')).toBe('first\nsecond\n');
  });

  it('that cannot be written loses its lines and nothing else', () => {
    const file = openBoundedFile(join(tempDir(), 'missing', 'daemon.log'), 100);
    expect(() => file.write('lost\n')).not.toThrow();
    file.close();
  });
});
