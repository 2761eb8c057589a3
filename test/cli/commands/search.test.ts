import { describe, expect, it } from 'vitest';
import type { FoundTool, FoundTools } from '../../../src/index.ts';
import { fakeConfig, fakeStatus, runFake } from '../fake-io.ts';

const config = fakeConfig({ code: { github: 'github' }, files: { files: 'files' } });
const statuses = [fakeStatus('github'), fakeStatus('files')];

const found = (path: string, score: number, change: Partial<FoundTool> = {}): FoundTool => {
  const [toolbox = '', server = '', name = ''] = path.split('/');
  return {
    address: { toolbox, server, name },
    score,
    description: `Does ${name}. And more.`,
    state: 'known',
    ...change,
  };
};

const answer = (tools: FoundTool[], change: Partial<FoundTools> = {}): FoundTools => ({
  query: 'read file',
  explained: 0.9,
  weak: false,
  tools,
  ...change,
});

function run(argv: readonly string[], given: FoundTools) {
  const asked: unknown[] = [];
  const library = {
    findTools: async (_: unknown, query: string, options: object) => {
      asked.push(query, options);
      return given;
    },
  };
  return runFake(['search', ...argv], { config, statuses, library }).then((done) => ({ ...done, searched: asked }));
}

describe('search', () => {
  it('shows the tools with their scores, the best first', async () => {
    const tools = [found('files/files/read', 12.5), found('code/github/get_file', 3, { state: 'needs-sign-in' })];
    const { code, stdout, searched } = await run(['read', 'file'], answer(tools));
    expect(code).toBe(0);
    expect(searched).toEqual(['read file', { toolbox: undefined, limit: 10, why: false }]);
    expect(stdout).toMatchInlineSnapshot(`
      "   12.50  files.read  Does read.
          3.00  code/github.get_file [needs-sign-in]  Does get_file.
      "
    `);
  });

  it('says why a tool is found when asked', async () => {
    const why = [
      {
        word: 'read',
        found: [
          { word: 'read', kind: 'same' as const, fields: ['name' as const] },
          { word: 'get', kind: 'synonym' as const, fields: ['name' as const] },
        ],
      },
      { word: 'fast', found: [] },
    ];
    const { stdout, searched } = await run(['read', '--why'], answer([found('files/files/read', 1, { why })]));
    expect(searched[1]).toMatchObject({ why: true });
    expect(stdout.split('\n').slice(1, 3)).toEqual([
      '          read: read (name); get (name, synonym)',
      '          fast: –',
    ]);
  });

  it('warns of a weak match, and says when there is none', async () => {
    const weak = await run(['zebra'], answer([found('files/files/read', 1)], { weak: true, explained: 0.2 }));
    expect(weak.stderr).toContain('Weak match: the best tool explains 20 % of the query.');
    const none = await run(['zebra'], answer([], { weak: true, explained: 0 }));
    expect(none.stdout).toBe('');
    expect(none.stderr).toContain('No tool matches.');
    expect(none.code).toBe(0);
  });

  it('searches one toolbox, and starts only its servers', async () => {
    const { searched, asked } = await run(['read', '--toolbox', 'files', '--limit', '3'], answer([]));
    expect(searched[1]).toMatchObject({ toolbox: 'files', limit: 3 });
    expect(asked).toContain('start missing of files');
  });

  it('gives scripts everything', async () => {
    const { stdout } = await run(['read', '--json'], answer([found('files/files/read', 1)]));
    expect(JSON.parse(stdout)).toMatchObject({
      schemaVersion: 1,
      query: 'read file',
      explained: 0.9,
      weak: false,
      tools: [{ address: { toolbox: 'files', server: 'files', name: 'read' }, score: 1, state: 'known' }],
    });
  });

  it.each(['0', '101', 'x', '-1', '1.5'])('refuses the limit %s', async (limit) => {
    const { code, stderr } = await run(['read', `--limit=${limit}`], answer([]));
    expect(code).toBe(2);
    expect(stderr).toContain('--limit must be a number from 1 to 100');
  });

  it('refuses an unknown toolbox, and a search without words', async () => {
    const unknown = await run(['read', '--toolbox', 'file'], answer([]));
    expect(unknown.code).toBe(5);
    expect(unknown.stderr).toContain("Toolbox 'file' not found.");
    expect((await run([], answer([]))).code).toBe(2);
  });
});
