import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempDir } from '../support/processes.ts';
import { programPath, startProgram } from '../support/program.ts';
import { fixture } from '../support/servers.ts';

/** A copy of the built program with these files only. */
function copyFiles(files: readonly string[]): string {
  const folder = join(tempDir(), 'dist');
  mkdirSync(folder);
  for (const file of files) cpSync(join(dirname(programPath), file), join(folder, file));
  return join(folder, 'mcp-workbench.cjs');
}

const box = { description: 'Box', mcpServers: { old: fixture('raw-legacy') } };

describe('a start of the program', () => {
  it('needs no more than two files to answer a client in mode meta', async () => {
    const program = copyFiles(['mcp-workbench.cjs', 'program.cjs']);
    const client = startProgram({ config: { mode: 'meta', toolboxes: { box } }, program });
    await client.legacyHandshake();
    const { message } = await client.request('tools/list', {});
    expect(JSON.stringify(message)).toContain('open_toolbox');
    expect((await client.close()).code).toBe(0);
  });

  it('finds its parts beside it when they are needed', async () => {
    const files = readdirSync(dirname(programPath)).filter((name) => name.endsWith('.cjs'));
    expect(files).toEqual(
      expect.arrayContaining([
        'links.cjs',
        'modern.cjs',
        'servers.cjs',
        'remote.cjs',
        'http.cjs',
        'oauth.cjs',
        'commands.cjs',
      ]),
    );
    const program = copyFiles(files);
    const client = startProgram({ config: { mode: 'flat', mcpServers: box.mcpServers }, program });
    await client.legacyHandshake();
    const { message } = await client.request('tools/list', {});
    expect(JSON.stringify(message)).toContain('old:echo');
    expect((await client.close()).code).toBe(0);
    rmSync(dirname(program), { recursive: true });
  });
});
