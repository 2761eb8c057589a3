import { describe, expect, it } from 'vitest';
import type { Entry } from '../../../src/index.ts';
import { failedStatus, fakeConfig, fakeEntry, fakeStatus, runFake } from '../fake-io.ts';

const config = fakeConfig({ code: { github: 'github', files: 'files' }, web: { files: 'files' } });
const statuses = [fakeStatus('github'), fakeStatus('files')];
const entries = [
  fakeEntry('code/github/search', { query: { type: 'string' }, limit: { type: 'integer' } }, ['query']),
  fakeEntry('code/files/read', { path: { type: 'string' } }, ['path']),
  fakeEntry('web/files/read', { path: { type: 'string' } }, ['path']),
];

describe('tools', () => {
  it('shows every toolbox with signatures', async () => {
    const { code, stdout } = await runFake(['tools'], { config, statuses, entries });
    expect(code).toBe(0);
    expect(stdout).toMatchInlineSnapshot(`
      "@code  About code
      github.search(query: string, limit?: number)  Does search.
      files.read(path: string)  Does read.

      @web  About web
      files.read(path: string)  Does read.
      "
    `);
  });

  it('starts and shows only the server that was named', async () => {
    const { stdout, asked } = await runFake(['tools', 'github'], { config, statuses, entries });
    expect(stdout).toBe('github.search(query: string, limit?: number)  Does search.\n');
    expect(asked.slice(1)).toEqual(['start missing of github', 'close']);
  });

  it('starts and shows only the toolbox that was named', async () => {
    const { stdout, asked } = await runFake(['tools', '@web'], { config, statuses, entries });
    expect(stdout).toBe('files.read(path: string)  Does read.\n');
    expect(asked.slice(1)).toEqual(['start missing of files', 'close']);
  });

  it('marks a tool that clients do not see because another one has its public name', async () => {
    const hidden = { ...fakeEntry('code/github/read'), publicName: undefined };
    const { stdout } = await runFake(['tools', 'github'], { config, statuses, entries: [hidden] });
    expect(stdout).toBe('github.read()  hidden: another tool has the same public name; see mcp-workbench check\n');
  });

  const whole: Entry = {
    address: { toolbox: 'code', server: 'github', name: 'create' },
    publicName: 'github:create',
    tool: {
      name: 'create',
      title: 'Create things',
      description: 'Creates things.\n\nAll of them at once, and says what became of each of them in the end.',
      inputSchema: {
        type: 'object',
        required: ['things'],
        additionalProperties: false,
        properties: {
          things: { type: 'array', description: 'What to create', items: { $ref: '#/$defs/thing' } },
          level: { enum: ['low', 'high'], default: 'low' },
          count: { type: 'integer', minimum: 1, maximum: 9 },
        },
        $defs: {
          thing: {
            type: 'object',
            required: ['name'],
            properties: {
              name: { type: 'string', description: 'Its name\u001b[2J' },
              of: { type: 'object', properties: { kind: { type: 'string' } } },
            },
          },
        },
      },
      outputSchema: { type: 'object', properties: { created: { type: 'integer', description: 'How many' } } },
      annotations: { readOnlyHint: false, destructiveHint: true },
    },
  };

  it.each([['github.create'], ['code/github/create'], ['github/create'], ['create']])(
    'shows one tool whole for %s',
    async (target) => {
      const options = { config, statuses, entries: [...entries, whole], columns: 60, tty: { stdout: true } };
      const { stdout } = await runFake(['tools', target, '--no-color'], options);
      expect(stdout).toMatchInlineSnapshot(`
        "github.create  Create things
          toolbox code, server github; clients see it as github:create

          Creates things.

          All of them at once, and says what became of each of them
          in the end.

        Parameters
          things: {name: string, of?: {kind?: string}}[]
              What to create
            name: string
                Its name\\u{1b}[2J
            of?: {kind?: string}
              kind?: string
          level?: "low" | "high"
              default "low"
              one of "low", "high"
          count?: number
              minimum 1, maximum 9
          no other keys are accepted

        Answer
          created?: number
              How many

        Annotations
          readOnlyHint: false
          destructiveHint: true
        "
      `);
    },
  );

  it('gives scripts the definition of one tool', async () => {
    const { stdout } = await runFake(['tools', 'create', '--json'], { config, statuses, entries: [whole] });
    const { address, publicName, tool } = whole;
    expect(JSON.parse(stdout)).toEqual({ schemaVersion: 1, address, publicName, tool });
  });

  it('shows the shape of objects in a signature', async () => {
    const { stdout } = await runFake(['tools', 'github'], { config, statuses, entries: [whole] });
    expect(stdout).toContain('create(things: {name: string, of?: {kind?: string}}[], level?: "low" | "high", count?');
  });

  it('says which tools a server has that are near to one it has not', async () => {
    const { code, stderr } = await runFake(['tools', 'github.serch'], { config, statuses, entries });
    expect([code, stderr]).toEqual([
      5,
      "✗ Tool 'serch' not found in server 'github'.\n  Fix  Did you mean: search\n  WB1803\n",
    ]);
  });

  it('gives scripts the untouched definitions with address and public name', async () => {
    const { stdout } = await runFake(['tools', 'github', '--json'], { config, statuses, entries });
    expect(JSON.parse(stdout)).toEqual({
      schemaVersion: 1,
      tools: [{ address: entries[0]?.address, publicName: 'github:search', tool: entries[0]?.tool }],
    });
  });

  it('cuts the sentence, never the signature, to the terminal', async () => {
    const options = { config, statuses, entries, tty: { stdout: true }, env: { NO_COLOR: '1' } };
    const shown = async (columns: number) => (await runFake(['tools', 'github'], { ...options, columns })).stdout;
    expect(await shown(58)).toBe('github.search(query: string, limit?: number)  Does search.\n');
    expect(await shown(57)).toBe('github.search(query: string, limit?: number)\n');
    expect(await shown(20)).toBe('github.search(query: string, limit?: number)\n');
  });

  it.each([
    ['githib', 'WB1802', 5, 'Did you mean: github'],
    ['@wed', 'WB1801', 5, 'Did you mean: web'],
    ['@__proto__', 'WB1801', 5, 'There are: code, web.'],
  ])('refuses %s with %s', async (wanted, errorCode, exit, fix) => {
    const { code, stderr } = await runFake(['tools', wanted, '--json'], { config, statuses, entries });
    expect(code).toBe(exit);
    expect(JSON.parse(stderr).error).toMatchObject({ code: errorCode, exit, fix });
  });

  it.each([
    [[], 0],
    [['github'], 4],
  ])('mentions a server that is missing; with %j it exits with %i', async (named, exit) => {
    const { code, stderr } = await runFake(['tools', ...named], {
      config,
      statuses: [failedStatus('github')],
      entries,
    });
    expect(stderr).toBe('✗ github: github exited with code 1  mcp-workbench check github\n');
    expect(code).toBe(exit);
  });
});

describe('tools --renamed', () => {
  const address = { toolbox: 'code', server: 'github', name: 'new_issue' };
  const at = 'mcpServers.github.tools.create_issue';
  const options = {
    config,
    statuses,
    entries,
    reshaped: [
      {
        address,
        own: 'create_issue',
        changes: [
          { what: 'name', path: `${at}.name` },
          { what: 'argument', argument: 'owner', how: 'fixed', path: `${at}.arguments.owner`, detail: '"acme"' },
          { what: 'annotations', path: `${at}.annotations`, detail: 'readOnlyHint' },
        ],
      },
    ],
    hiddenTools: [{ address: { ...address, name: 'delete_repo' }, path: 'mcpServers.github.tools["delete_*"].hidden' }],
    shapeProblems: [{ code: 'WB1847', message: 'mcpServers.github.tools.x matches none' }],
  } as const;

  it('shows each change with the place in the file to undo it', async () => {
    const { stdout, code } = await runFake(['tools', '--renamed'], options);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /code\/github\/new_issue +renamed from create_issue +mcpServers\.github\.tools\.create_issue\.name/,
    );
    expect(stdout).toMatch(/owner is always "acme" +mcpServers\.github\.tools\.create_issue\.arguments\.owner/);
    expect(stdout).toMatch(/code\/github\/delete_repo +hidden +mcpServers\.github\.tools\["delete_\*"\]\.hidden/);
    expect(stdout).toContain('mcpServers.github.tools.x matches none');
  });

  it('gives scripts one JSON value', async () => {
    const { stdout } = await runFake(['tools', '--renamed', '--json'], options);
    expect(JSON.parse(stdout)).toEqual({
      schemaVersion: 1,
      renamed: options.reshaped,
      hidden: options.hiddenTools,
      problems: options.shapeProblems,
    });
  });

  it('says when nothing is changed', async () => {
    const { stdout } = await runFake(['tools', '--renamed'], { config, statuses, entries });
    expect(stdout).toBe('The configuration does not change how tools are shown.\n');
  });
});
