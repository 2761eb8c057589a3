import { describe, expect, it } from 'vitest';
import { WorkbenchError } from '../../src/index.ts';
import { type FakeOptions, failedStatus, fakeConfig, fakeEntry, fakeStatus, runFake, startFake } from './fake-io.ts';

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
    const { code, stdout, stderr, asked, configs } = await runFake(
      ['call', 'github.search', 'query=1', 'limit=2'],
      options,
    );
    expect([code, stdout, stderr]).toEqual([0, 'found\tit\nhere\n', '']);
    expect(asked.slice(1)).toEqual(['openAll', 'call code/github/search {"query":"1","limit":2}', 'close']);
    expect([...(configs[0]?.servers.keys() ?? [])]).toEqual(['github']);
  });

  it('says that a filter leaves the tool out', async () => {
    const { code, stderr, asked } = await runFake(['call', 'github.remove'], { ...options, leftOut: ['remove'] });
    expect(code).not.toBe(0);
    expect(stderr).toContain(`The tool 'remove' of server 'github' is left out by its "toolFilters" (toolbox 'code').`);
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

  it('prints what is no text as JSON, and everything with --json', async () => {
    const result = {
      content: [{ type: 'image', data: 'AA==', mimeType: 'image/png' }],
      structuredContent: { a: 1 },
      extra: true,
    };
    const plain = await runFake(['call', 'github.search'], { ...options, call: async () => result });
    expect(JSON.parse(plain.stdout)).toEqual(result.content[0]);
    const whole = await runFake(['call', 'github.search', '--json'], { ...options, call: async () => result });
    expect(JSON.parse(whole.stdout)).toEqual(result);
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
    expect(run.asked.slice(1)).toEqual(['openAll', 'close']);
  });

  it('leaves it to the workbench to say that a tool does not exist', async () => {
    const { asked } = await runFake(['call', 'github.serch'], options);
    expect(asked).toContain('call code/github/serch {}');
  });

  it.each([
    [['--timeout', 'soon'], '--timeout cannot be "soon".'],
    [['--timeout', '0'], '--timeout cannot be "0".'],
    [['--args', '{}', 'a=1'], 'Arguments are given both with --args and as key=value.'],
    [['--args', 'x'], 'The value of --args is not a JSON object.'],
    [['query'], '"query" is not an argument.'],
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
