import { describe, expect, it } from 'vitest';
import { ConfigError, WorkbenchError } from '../../../src/index.ts';
import { fakeConfig, runFake } from '../fake-io.ts';

const text = '{\n  "mode": 3\n}';
const problem = {
  code: 'WB1405',
  severity: 'error',
  path: 'mode',
  offset: 12,
  length: 1,
  line: 2,
  column: 11,
} as const;
const wrong = () => {
  throw new ConfigError([{ ...problem, message: 'mode must be a string' }], { file: 'workbench.jsonc', text });
};

describe('config validate', () => {
  it('says that a file is right, starts nothing and exits with 0', async () => {
    const { code, stdout, configs } = await runFake(['config', 'validate'], { config: fakeConfig() });
    expect([code, configs]).toEqual([0, []]);
    expect(stdout).toBe('✓ configuration  /home/me/workbench.jsonc  mode meta, 1 toolbox, 2 servers\n');
  });

  it('shows every mistake with its place and exits with 2', async () => {
    const { code, stdout, stderr } = await runFake(['config', 'validate'], { config: wrong });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('workbench.jsonc:2:11  mode must be a string');
  });

  it('gives scripts line, column, code and fix, with the same exit code', async () => {
    const { code, stdout } = await runFake(['config', 'validate', '--json'], { config: wrong });
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({
      valid: false,
      problems: [{ code: 'WB1405', path: 'mode', line: 2, column: 11, fix: expect.stringContaining('Correct') }],
    });
    expect(JSON.parse((await runFake(['config', 'validate', '--json'])).stdout)).toMatchObject({
      valid: true,
      problems: [],
    });
  });

  it('gives scripts one problem for a file that cannot be read', async () => {
    const missing = () => {
      throw new WorkbenchError('WB1407', 'no file');
    };
    const { code, stdout } = await runFake(['config', 'validate', '--json'], { config: missing });
    expect([code, JSON.parse(stdout).problems[0].code]).toEqual([2, 'WB1407']);
  });

  it('is the only thing that config can do so far, and says so', async () => {
    const { code, stderr } = await runFake(['config', 'frobnicate']);
    expect(code).toBe(2);
    expect(stderr).toContain('mcp-workbench config validate');
  });
});
