import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openBoundedFile } from '../../../src/cli/record/bounded-file.ts';
import { tempDir } from '../../support/processes.ts';

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
