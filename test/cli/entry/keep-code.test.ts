import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { saveLater } from '../../../src/cli/service/save-later.ts';
import { tempDir } from '../../support/processes.ts';
import { startProgram } from '../../support/program.ts';

async function serveOnce(state: string, env: Record<string, string> = {}): Promise<void> {
  const client = startProgram({ config: { mcpServers: {} }, env: { WORKBENCH_STATE: state, ...env } });
  expect(await client.legacyHandshake()).toHaveProperty('message.result.serverInfo');
  expect(await client.close()).toMatchObject({ code: 0 });
}

function codeFiles(state: string): string[] {
  try {
    return readdirSync(join(state, 'code')).map((name) => join(state, 'code', name));
  } catch {
    return [];
  }
}

/** Coverage of the tests themselves must not decide what the program does. */
const plain = { NODE_V8_COVERAGE: '', NODE_DISABLE_COMPILE_CACHE: '' };

describe('the compiled code of the program', () => {
  afterEach(() => void vi.useRealTimers());

  it('is kept by the first run that serves, and left alone by the next', async () => {
    const state = tempDir();
    await serveOnce(state, plain);
    const [file = '', ...others] = codeFiles(state);
    expect(others).toEqual([]);
    const { ino } = statSync(file);
    await serveOnce(state, plain);
    expect(statSync(file).ino).toBe(ino);
  });

  it('is replaced when it is damaged, and the program runs all the same', async () => {
    const state = tempDir();
    await serveOnce(state, plain);
    const [file = ''] = codeFiles(state);
    const good = readFileSync(file);
    const damaged = Buffer.from(good).fill(0x5a, good.length / 2, good.length / 2 + 2_000);
    writeFileSync(file, damaged);
    await serveOnce(state, plain);
    expect(readFileSync(file).equals(damaged)).toBe(false);
  });

  it('is not kept when Node.js is told to keep none, or where it cannot be', async () => {
    const state = tempDir();
    await serveOnce(state, { ...plain, NODE_DISABLE_COMPILE_CACHE: '1' });
    expect(codeFiles(state)).toEqual([]);
    mkdirSync(state, { recursive: true });
    writeFileSync(join(state, 'code'), 'in the way');
    await serveOnce(state, plain);
    expect(readFileSync(join(state, 'code'), 'utf8')).toBe('in the way');
  });

  it('is kept a moment after the start, or at the end of a shorter run', () => {
    vi.useFakeTimers();
    const keepCode = vi.fn();
    saveLater(keepCode);
    expect(keepCode).not.toHaveBeenCalled();
    vi.advanceTimersByTime(10_000);
    expect(keepCode).toHaveBeenCalledTimes(1);
    saveLater(keepCode)();
    expect(keepCode).toHaveBeenCalledTimes(2);
    vi.advanceTimersByTime(10_000);
    expect(keepCode).toHaveBeenCalledTimes(2);
  });
});
