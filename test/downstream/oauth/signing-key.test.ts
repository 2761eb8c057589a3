import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSigningKey } from '../../../src/downstream/oauth/protocol/client-assertion.ts';
import { canBeTwoUsers, giveAway } from '../../support/other-user.ts';
import { tempDir } from '../../support/processes.ts';

function keyFile(): string {
  const path = join(tempDir(), 'key.pem');
  const { privateKey } = generateKeyPairSync('ed25519');
  writeFileSync(path, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  return path;
}

describe('the private key of a client', () => {
  it('is read from a file that is the user’s', () => {
    expect(readSigningKey(keyFile(), undefined).algorithm).toBe('EdDSA');
  });

  it.runIf(process.platform !== 'win32')('is not read when others may write to the file', () => {
    const path = keyFile();
    chmodSync(path, 0o666);
    expect(() => readSigningKey(path, undefined)).toThrow(expect.objectContaining({ code: 'WB1921' }));
  });

  it.runIf(canBeTwoUsers)('is not read when the file belongs to another user', () => {
    const path = keyFile();
    giveAway(path);
    expect(() => readSigningKey(path, undefined)).toThrow('belongs to user');
  });

  it.runIf(process.platform !== 'win32')('is refused at once when it is a pipe or a device', () => {
    const pipe = join(tempDir(), 'pipe');
    execFileSync('mkfifo', [pipe]);
    for (const path of [pipe, '/dev/zero'])
      expect(() => readSigningKey(path, undefined)).toThrow('is a pipe or a device, not a regular file');
  });

  it('is refused when it is an RSA key of fewer than 2048 bits', () => {
    const path = join(tempDir(), 'key.pem');
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
    writeFileSync(path, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
    expect(() => readSigningKey(path, undefined)).toThrow('has fewer than 2048 bits');
  });
});
