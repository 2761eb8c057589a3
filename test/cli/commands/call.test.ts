import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { WorkbenchError } from '../../../src/index.ts';
import { tempDir } from '../../support/processes.ts';
import { type FakeOptions, failedStatus, fakeConfig, fakeEntry, fakeStatus, runFake, startFake } from '../fake-io.ts';

const options: FakeOptions = {
  config: fakeConfig({ code: { github: 'github', files: 'files' }, web: { files: 'files' } }),
  statuses: [fakeStatus('github'), fakeStatus('files')],
  entries: [
    fakeEntry('code/github/search', { query: { type: 'string' }, limit: { type: 'integer' } }, ['query']),
    fakeEntry('web/files/read', { path: { type: 'string' } }, ['path']),
  ],
  call: async () => ({ content: [{ type: 'text', text: 'found\tit\nhere' }] }),
};

describe('call', () => {
  it('converts the arguments by the schema of the tool, starts one server, and prints the text', async () => {
    const { code, stdout, stderr, asked } = await runFake(['call', 'github.search', 'query=1', 'limit=2'], options);
    expect([code, stdout, stderr]).toEqual([0, 'found\tit\nhere\n', '']);
    expect(asked.slice(1)).toEqual(['start all of github', 'call code/github/search {"query":"1","limit":2}', 'close']);
  });

  it('takes the name of a tool that only one server has, and starts only what was never heard to find it', async () => {
    const { code, asked } = await runFake(['call', 'search', 'query=1'], options);
    expect(code).toBe(0);
    expect(asked.slice(1)).toEqual([
      'start missing of github,files',
      'start all of github',
      'call code/github/search {"query":"1"}',
      'close',
    ]);
  });

  it('takes server/tool as well as server.tool', async () => {
    expect((await runFake(['call', 'github/search'], options)).asked).toContain('call code/github/search {}');
  });

  it('refuses a name that two servers have, with what to write', async () => {
    const entries = [...(options.entries ?? []), fakeEntry('code/files/search')];
    const { code, stderr } = await runFake(['call', 'search', '--json'], { ...options, entries });
    expect([code, JSON.parse(stderr).error.fix]).toEqual([2, 'Write one of: github.search, files.search']);
  });

  it('mentions an argument that the tool does not name, with the nearest, and sends it', async () => {
    const { code, stderr, asked } = await runFake(['call', 'github.search', 'qurey=x'], options);
    expect(asked).toContain('call code/github/search {"qurey":"x"}');
    expect([code, stderr]).toEqual([
      0,
      'note github.search does not name an argument "qurey"; it is sent anyway. Did you mean: query\n',
    ]);
  });

  it('refuses an argument that the tool says it does not take', async () => {
    const tool = { name: 'read', inputSchema: { properties: { path: {} }, additionalProperties: false } };
    const entries = [{ address: { toolbox: 'web', server: 'files', name: 'read' }, publicName: 'files:read', tool }];
    const { code, stderr, asked } = await runFake(['call', 'files.read', 'pth=x'], { ...options, entries });
    expect([code, stderr]).toEqual([
      2,
      '✗ files.read does not accept an argument "pth".\n  Fix  Did you mean: path\n  WB1914\n',
    ]);
    expect(asked.some((each) => each.startsWith('call '))).toBe(false);
  });

  it('says that a filter leaves the tool out', async () => {
    const { code, stderr, asked } = await runFake(['call', 'github.remove'], { ...options, leftOut: ['remove'] });
    expect(code).not.toBe(0);
    expect(stderr).toContain(
      `The tool 'remove' of server 'github' is left out by the "toolFilters" of the server (toolbox 'code').`,
    );
    expect(asked.some((each) => each.startsWith('call '))).toBe(false);
  });

  it('finds the toolbox that shows the tool', async () => {
    const { asked } = await runFake(['call', 'files.read', 'path=x'], options);
    expect(asked).toContain('call web/files/read {"path":"x"}');
  });

  it.each([
    ['as JSON', ['--args', '{"query":"x","n":1}'], '', '{"query":"x","n":1}'],
    ['as JSON from stdin', ['--args', '-'], '{"query":"y"}', '{"query":"y"}'],
    ['not at all', [], '', '{}'],
  ])('takes its arguments %s', async (_, words, stdin, expected) => {
    const { asked } = await runFake(['call', 'github.search', ...words], { ...options, stdin });
    expect(asked).toContain(`call code/github/search ${expected}`);
  });

  const binary = {
    content: [
      { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' },
      { type: 'audio', data: 'AAAA', mimeType: 'audio/../../evil' },
      { type: 'resource', resource: { uri: 'file:///etc/passwd', blob: 'AAA=', mimeType: 'application/pdf' } },
      { type: 'resource', resource: { uri: 'file:///a', text: 'plain' } },
      { type: 'resource_link', uri: 'file:///b', name: 'b' },
    ],
    structuredContent: { a: 1 },
    extra: true,
  };

  it('prints a line for what is binary, the rest as text or JSON, and everything with --json', async () => {
    const plain = await runFake(['call', 'github.search'], { ...options, call: async () => binary });
    expect(plain.stdout.split('\n').slice(0, 4)).toEqual([
      '[image/png, 8 bytes; --save DIR writes it to a file]',
      '[audio/../../evil, 3 bytes; --save DIR writes it to a file]',
      '[application/pdf, 2 bytes; --save DIR writes it to a file]',
      'plain',
    ]);
    expect(JSON.parse(plain.stdout.split('\n').slice(4).join('\n'))).toEqual(binary.content[4]);
    const whole = await runFake(['call', 'github.search', '--json'], { ...options, call: async () => binary });
    expect(JSON.parse(whole.stdout)).toEqual(binary);
  });

  it('writes what is binary into the folder of --save, under names of its own, and overwrites nothing', async () => {
    const folder = join(tempDir(), 'new', 'shots');
    const run = (...flags: string[]) =>
      runFake(['call', 'github.search', '--save', folder, ...flags], { ...options, call: async () => binary });
    const first = await run();
    const second = await run('--json');
    const names = readdirSync(folder).sort();
    expect(names).toHaveLength(6);
    for (const name of names) expect(name).toMatch(/^\d{8}T\d{6}-\d\.(png|bin|pdf)$/);
    const [, path = ''] = /^\[image\/png, 8 bytes: (.*)\]$/m.exec(first.stdout) ?? [];
    expect(readFileSync(path, 'latin1')).toBe('\u0089PNG\r\n\u001a\n');
    expect(JSON.parse(second.stdout)).toEqual(binary);
    const notes = second.stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).note);
    expect(notes).toHaveLength(3);
    expect(notes[0]).toContain(`saved image/png, 8 bytes: ${folder}`);
  });

  it('says before anything is started that the folder of --save cannot be had', async () => {
    const folder = join(tempDir(), 'file');
    writeFileSync(folder, '');
    const { code, stderr, asked } = await runFake(['call', 'github.search', '--save', folder], options);
    expect([code, asked]).toEqual([2, []]);
    expect(stderr).toContain('WB1915');
  });

  it('prints structured content when there is no other', async () => {
    const { stdout } = await runFake(['call', 'github.search'], {
      ...options,
      call: async () => ({ content: [], structuredContent: { a: 1 } }),
    });
    expect(JSON.parse(stdout)).toEqual({ a: 1 });
  });

  it('prints the answer of a tool that fails and exits with 5', async () => {
    const call = async () => ({ content: [{ type: 'text', text: 'no such repo' }], isError: true });
    const { code, stdout, stderr } = await runFake(['call', 'github.search'], { ...options, call });
    expect([code, stdout, stderr]).toEqual([5, 'no such repo\n', 'The tool reports a failure (WB1805).\n']);
  });

  it('gives scripts JSON on both streams when the tool fails', async () => {
    const result = { content: [{ type: 'text', text: 'no such repo' }], isError: true };
    const { code, stdout, stderr } = await runFake(['call', 'github.search', '--json'], {
      ...options,
      call: async () => result,
    });
    expect([code, JSON.parse(stdout), JSON.parse(stderr).error.code]).toEqual([5, result, 'WB1805']);
  });

  it('shows no secret of the configuration in a failure', async () => {
    const config = fakeConfig(undefined, { secrets: [{ name: 'TOKEN', value: 'hunter2hunter2' }] });
    const call = () => Promise.reject(new WorkbenchError('WB1805', 'bad key hunter2hunter2'));
    const { stderr } = await runFake(['call', 'github.search'], { ...options, config, call });
    expect(stderr).toContain('bad key ‹TOKEN›');
  });

  it('keeps the answer byte for byte in a pipe and harmless in a terminal', async () => {
    const call = async () => ({ content: [{ type: 'text', text: 'a\u001b[2Jb\n\tc' }] });
    const piped = await runFake(['call', 'github.search'], { ...options, call });
    expect(piped.stdout).toBe('a\u001b[2Jb\n\tc\n');
    const shown = await runFake(['call', 'github.search'], { ...options, call, tty: { stdout: true } });
    expect(shown.stdout).toBe('a\\u{1b}[2Jb\n\tc\n');
  });

  it.each([
    ['WB1803', 5],
    ['WB1001', 4],
    ['WB1805', 5],
  ] as const)('reports %s of the workbench with exit code %i', async (code, exit) => {
    const call = () => Promise.reject(new WorkbenchError(code, 'It is so.'));
    const run = await runFake(['call', 'github.search', '--json'], { ...options, call });
    expect([run.code, run.stdout, run.asked.at(-1)]).toEqual([exit, '', 'close']);
    expect(JSON.parse(run.stderr).error).toMatchObject({ code, exit, message: 'It is so.' });
  });

  it('shows progress in a terminal only', async () => {
    const call: FakeOptions['call'] = async (_, { onProgress }) => {
      onProgress?.({ progress: 1, total: 2, message: 'half\u001b' });
      return { content: [] };
    };
    const shown = await runFake(['call', 'github.search'], { ...options, call, tty: { stderr: true } });
    expect(shown.stderr).toBe('\r1/2 half\\u{1b}\u001b[K\r\u001b[K');
    expect((await runFake(['call', 'github.search'], { ...options, call })).stderr).toBe('');
  });

  it('is given up after --timeout, which the server is told', async () => {
    let cancelled = false;
    const call: FakeOptions['call'] = (_, { signal }) => {
      signal?.addEventListener('abort', () => {
        cancelled = true;
      });
      return new Promise(() => {});
    };
    const { code, stderr, asked } = await runFake(['call', 'github.search', '--timeout', '1'], { ...options, call });
    expect([code, cancelled, asked.at(-1)]).toEqual([5, true, 'close']);
    expect(stderr).toContain('No answer within 1 ms.');
  });

  it('does not start a server again that has just failed', async () => {
    const run = await runFake(['call', 'github.search'], {
      ...options,
      statuses: [failedStatus('github')],
      entries: [],
    });
    expect(run.code).toBe(4);
    expect(run.stderr).toContain('github exited with code 1');
    expect(run.asked.slice(1)).toEqual(['start all of github', 'close']);
  });

  it('leaves it to the workbench to say that a tool does not exist', async () => {
    const { asked } = await runFake(['call', 'github.serch'], options);
    expect(asked).toContain('call code/github/serch {}');
  });

  it.each([
    [['--timeout', 'soon'], '--timeout: "soon" is not a number of milliseconds.'],
    [['--timeout', '0'], '--timeout: "0" is not a number of milliseconds.'],
    [['--args', '{}', 'a=1'], 'Arguments are given both with --args and as key=value.'],
    [['--args', 'x'], 'The value of --args is not a JSON object.'],
    [['query'], '"query" is not a valid argument.'],
  ])('refuses %j before anything is started', async (words, message) => {
    const { code, stderr, asked } = await runFake(['call', 'github.search', '--json', ...words], options);
    expect([code, JSON.parse(stderr).error.message, asked]).toEqual([2, message, []]);
  });

  it.each([[[]], [['--timeout', '60000']]])(
    'with %j is cancelled by an interruption and exits with 130',
    async (words) => {
      let cancelled = false;
      let begin = () => {};
      const begun = new Promise<void>((resolve) => {
        begin = resolve;
      });
      const run = startFake(['call', 'github.search', ...words], {
        ...options,
        call: (_, { signal }) => {
          signal?.addEventListener('abort', () => {
            cancelled = true;
          });
          begin();
          return new Promise(() => {});
        },
      });
      await begun;
      run.stop('SIGINT');
      const { code, stderr, asked } = await run.done;
      expect([code, stderr, cancelled, asked.at(-1)]).toEqual([130, '', true, 'close']);
    },
  );
});
