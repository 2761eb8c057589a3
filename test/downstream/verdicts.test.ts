import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseConfigValue } from '../../src/config/parse.ts';
import { createVerdicts } from '../../src/downstream/verdicts.ts';

describe('remembered servers', () => {
  const config = parseConfigValue(
    { mcpServers: { a: { command: 'x', env: { K: '1' } }, b: { command: 'x', args: ['y'] } } },
    { dir: '/', env: {} },
  );
  const [a, b] = [...config.servers.values()] as [never, never];
  const folder = () => mkdtempSync(join(tmpdir(), 'verdicts-'));

  it('are known in the next run, each by its own definition', () => {
    const dir = folder();
    createVerdicts(dir).rememberLegacy(a);
    expect(createVerdicts(dir).find(a)).toBe('legacy');
    expect(createVerdicts(dir).find(b)).toBeUndefined();
    expect(readFileSync(join(dir, 'eras.json'), 'utf8')).not.toContain('"x"');
  });

  it('are forgotten when one turns out not to be old', () => {
    const dir = folder();
    createVerdicts(dir).rememberLegacy(a);
    createVerdicts(dir).forgetLegacy(a);
    expect(createVerdicts(dir).find(a)).toBeUndefined();
  });

  it('are forgotten after a week', () => {
    const dir = folder();
    createVerdicts(dir, () => 0).rememberLegacy(a);
    expect(createVerdicts(dir, () => 6 * 86_400_000).find(a)).toBe('legacy');
    expect(createVerdicts(dir, () => 8 * 86_400_000).find(a)).toBeUndefined();
  });

  it.each(['', '{', '[]', '{"x":"y"}'])('are forgotten, not fatal, when the file holds %j', (text) => {
    const dir = folder();
    writeFileSync(join(dir, 'eras.json'), text);
    expect(createVerdicts(dir).find(a)).toBeUndefined();
  });

  it('are kept for this run when there is no place to write', () => {
    const verdicts = createVerdicts(join(folder(), 'file\0impossible'));
    verdicts.rememberLegacy(a);
    expect(verdicts.find(a)).toBe('legacy');
  });
});
