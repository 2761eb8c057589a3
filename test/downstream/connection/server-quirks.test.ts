import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseConfigValue } from '../../../src/config/read/parse.ts';
import { createServerQuirks } from '../../../src/downstream/connection/server-quirks.ts';

describe('remembered servers', () => {
  const config = parseConfigValue(
    { mcpServers: { a: { command: 'x', env: { K: '1' } }, b: { command: 'x', args: ['y'] } } },
    { dir: '/', env: {} },
  );
  const [a, b] = [...config.servers.values()] as [never, never];
  const folder = () => mkdtempSync(join(tmpdir(), 'verdicts-'));

  it('are known in the next run, each by its own definition', () => {
    const dir = folder();
    createServerQuirks(dir).rememberLegacy(a);
    expect(createServerQuirks(dir).find(a)).toBe('legacy');
    expect(createServerQuirks(dir).find(b)).toBeUndefined();
    expect(readFileSync(join(dir, 'eras.json'), 'utf8')).not.toContain('"x"');
  });

  it('are forgotten when one turns out not to be old', () => {
    const dir = folder();
    createServerQuirks(dir).rememberLegacy(a);
    createServerQuirks(dir).forgetLegacy(a);
    expect(createServerQuirks(dir).find(a)).toBeUndefined();
  });

  it('are forgotten after a week', () => {
    const dir = folder();
    createServerQuirks(dir, () => 0).rememberLegacy(a);
    expect(createServerQuirks(dir, () => 6 * 86_400_000).find(a)).toBe('legacy');
    expect(createServerQuirks(dir, () => 8 * 86_400_000).find(a)).toBeUndefined();
  });

  it.each(['', '{', '[]', '{"x":"y"}'])('are forgotten, not fatal, when the file holds %j', (text) => {
    const dir = folder();
    writeFileSync(join(dir, 'eras.json'), text);
    expect(createServerQuirks(dir).find(a)).toBeUndefined();
  });

  it('are kept for this run when there is no place to write', () => {
    const verdicts = createServerQuirks(join(folder(), 'file\0impossible'));
    verdicts.rememberLegacy(a);
    expect(verdicts.find(a)).toBe('legacy');
  });
});
