import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSecret } from '../../src/daemon/secret.ts';
import { tempDir } from '../support/processes.ts';

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
