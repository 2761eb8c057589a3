import { describe, expect, it } from 'vitest';
import { openCounter } from '../../../src/cli/run/count-tokens.ts';
import type { CollectOptions, SurfaceTexts } from '../../../src/index.ts';
import { failedStatus, fakeConfig, fakeEntry, fakeStatus, runFake } from '../fake-io.ts';

const config = fakeConfig({ code: { github: 'github' }, files: { files: 'files' } });
const statuses = [fakeStatus('github'), fakeStatus('files')];
const entries = [fakeEntry('code/github/search', { query: { type: 'string' } }), fakeEntry('files/files/read')];
const words = (count: number) => 'word '.repeat(count).trim();
const places = [
  { toolbox: 'code', server: 'github' },
  { toolbox: 'files', server: 'files' },
];

const texts: Record<string, Omit<SurfaceTexts, 'mode'>> = {
  flat: { instructions: words(10), list: places.map((place) => ({ ...place, text: words(500) })), later: [] },
  meta: {
    instructions: words(10),
    list: [{ text: words(20) }],
    later: [
      { toolbox: 'code', text: words(600) },
      { toolbox: 'files', text: words(400) },
    ],
  },
  dynamic: { instructions: words(5), list: [{ text: words(10) }], later: [] },
  search: {
    instructions: words(10),
    list: [{ text: words(50) }],
    later: places.map((place) => ({ ...place, text: words(100) })),
  },
};

const library = {
  collectSurfaces: async (_: unknown, { modes = [], clients = [] }: CollectOptions) => [
    ...modes.map((mode) => ({ mode, ...texts[mode] }) as SurfaceTexts),
    ...clients.map((id) => ({ mode: 'search', ...texts.search, clients: [{ id, why: 'because' }] }) as SurfaceTexts),
  ],
};

describe('tokens', () => {
  it('compares the modes, and shows servers and toolboxes', async () => {
    const { code, stdout, stderr } = await runFake(['tokens'], { config, statuses, entries, library });
    expect(code).toBe(0);
    expect(stdout).toMatchInlineSnapshot(`
      "Tokens at the start of a conversation, and each time a model looks for a tool (* the mode in use)
        MODE      START  OF FLAT    LIST  INSTRUCTIONS  THEN
        flat     ~1,091    100 %  ~1,080           ~11  nothing: every tool is in the list
      * meta        ~33    3.0 %     ~22           ~11  opening a toolbox ~432, at most ~649
        dynamic     ~17    1.6 %     ~11            ~6  nothing: every tool is in the list
        search      ~65    6.0 %     ~54           ~11  a search of 5 tools ~108, at most ~108

      By server
        SERVER  TOOLS  FLAT  A SEARCH
        files       1  ~540      ~108
        github      1  ~540      ~108

      By toolbox
        TOOLBOX  TOOLS  FLAT  OPENED  A SEARCH
        code         1   ~35    ~649      ~108
        files        1   ~28    ~432      ~108
      "
    `);
    expect(stderr).toContain('~ estimated; --exact counts with a tokenizer');
  });

  it('gives scripts plain numbers, and says how they were counted', async () => {
    const { stdout } = await runFake(['tokens', '--json'], { config, statuses, entries, library });
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({ schemaVersion: 1, counted: 'estimate', mode: 'meta', clients: [] });
    expect(report.modes.map(({ mode }: { mode: string }) => mode)).toEqual(['flat', 'meta', 'dynamic', 'search']);
    expect(report.modes[0]).toEqual({ mode: 'flat', start: 1091, list: 1080, instructions: 11, later: null });
    expect(report.modes[3].later).toMatchObject({ what: 'search', of: 2 });
    expect(report.servers[0]).toEqual({ server: 'github', tools: 1, flat: 540, search: 108 });
    expect(report.toolboxes.map(({ toolbox, tools }: Record<string, unknown>) => [toolbox, tools])).toEqual([
      ['code', 1],
      ['files', 1],
    ]);
  });

  it('shows one client when asked, and refuses one that does not exist', async () => {
    const { stdout } = await runFake(['tokens', '--client', 'cursor', '--json'], {
      config,
      statuses,
      entries,
      library,
    });
    expect(JSON.parse(stdout).clients).toMatchObject([{ client: 'cursor', mode: 'search', start: 65, why: 'because' }]);
    const { code } = await runFake(['tokens', '--client', 'cursr'], { config, statuses, entries, library });
    expect(code).toBe(2);
  });

  it('shows all clients in mode auto', async () => {
    const auto = { ...config, mode: 'auto' as const };
    const { stdout } = await runFake(['tokens', '--json'], { config: auto, statuses, entries, library });
    expect(JSON.parse(stdout).clients.length).toBeGreaterThan(12);
  });

  it('names the servers that are not counted', async () => {
    const { stderr } = await runFake(['tokens'], { config, statuses: [failedStatus('github')], entries, library });
    expect(stderr).toContain('✗ github is not counted: its tools are not known');
  });

  it('counts with the tokenizer that is installed, and says how to install one', async () => {
    expect(openCounter(true).count('Hello world, hello tokens')).toBe(5);
    expect(openCounter(true).show(12_345)).toBe('12,345');
    expect(openCounter(false).show(12_345)).toBe('~12,345');
    expect(() => openCounter(true, '/')).toThrow('The package gpt-tokenizer is not installed.');
  });
});

describe('tools --tokens', () => {
  it('shows the tokens of each tool, and of all', async () => {
    const { stdout } = await runFake(['tools', '--tokens'], { config, statuses, entries });
    expect(stdout).toMatchInlineSnapshot(`
      "@code  About code
           ~35  github.search(query?: string)  Does search.

      @files  About files
           ~28  files.read()  Does read.
           ~63  tokens in all
      "
    `);
    const json = await runFake(['tools', '--tokens', '--json'], { config, statuses, entries });
    expect(JSON.parse(json.stdout)).toMatchObject({ counted: 'estimate', tools: [{ tokens: 35 }, { tokens: 28 }] });
  });

  it('shows the tokens of one tool', async () => {
    const { stdout } = await runFake(['tools', 'github.search', '--tokens'], { config, statuses, entries });
    expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/^~\d+ tokens$/);
  });
});
