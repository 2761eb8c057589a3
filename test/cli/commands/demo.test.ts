import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createMcpPeer } from '../../../src/cli/call/mcp-peer.ts';
import type { ProgramChild } from '../../../src/cli/run/io.ts';
import type { JsonObject } from '../../../src/index.ts';
import { repoRoot } from '../../support/program.ts';
import { fakeConfig, runFake } from '../fake-io.ts';

/** A stand-in for the served program: answers every request by its method and tool. */
function fakeProgram(answer: (method: string, params: JsonObject) => JsonObject): ProgramChild {
  const input = new PassThrough();
  const output = new PassThrough();
  let ended = () => {};
  const gone = new Promise<void>((resolve) => {
    ended = resolve;
  });
  input.on('data', (chunk: Buffer) => {
    for (const line of chunk.toString('utf8').trimEnd().split('\n')) {
      const { id, method, params } = JSON.parse(line);
      if (id !== undefined) output.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer(method, params) })}\n`);
    }
  });
  input.on('end', () => {
    output.end();
    ended();
  });
  return { input, output, ended: gone, kill: () => ended() };
}

describe('demo', () => {
  it('starts itself, opens every toolbox, calls one tool and shows what to paste', async () => {
    const started: (readonly string[])[] = [];
    const { code, stdout } = await runFake(['demo'], {
      config: fakeConfig({ writing: { notes: 'notes' }, time: { calendar: 'calendar' } }),
      program: {
        start(args) {
          started.push(args);
          return fakeProgram((method, params) => {
            if (method === 'initialize') return { result: {} };
            if (params.name === 'use_tool') return { result: { content: [{ type: 'text', text: 'A Tuesday.' }] } };
            const tools = [{ server: 's', name: 't', description: 'Does t.' }];
            return { result: { content: [], structuredContent: { description: 'About it', tools } } };
          });
        },
      },
    });
    expect(code).toBe(0);
    expect(started).toEqual([['serve', '--quiet', '--trust-config', '--config', '/opt/demo/workbench.jsonc']]);
    expect(stdout).toMatchInlineSnapshot(`
      "Serving /opt/demo/workbench.jsonc

      @writing  About it
        s.t  Does t.

      @time  About it
        s.t  Does t.

      Question  use_tool {"tool":{"toolbox":"time","server":"calendar","name":"weekday"},"arguments":{"date":"2026-07-28"}}
      Answer    A Tuesday.

      To use it in a client, paste:

      {
        "mcpServers": {
          "workbench": {
            "command": "/usr/bin/node",
            "args": [
              "/opt/mcp-workbench.cjs",
              "--config",
              "/opt/demo/workbench.jsonc"
            ]
          }
        }
      }
      "
    `);
  });

  it('says what the served program answered when it fails', async () => {
    const { code, stderr } = await runFake(['demo'], {
      program: { start: () => fakeProgram(() => ({ error: { code: -1, message: 'not today' } })) },
    });
    expect(code).toBe(1);
    expect(stderr).toContain('The demo server failed: not today');
  });

  it('does not wait for a program that ends early', async () => {
    const child = fakeProgram(() => ({ result: {} }));
    const peer = createMcpPeer({ input: new PassThrough(), output: child.output, whom: 'It' });
    const answer = peer.request('initialize', {});
    child.output.push(null);
    await expect(answer).rejects.toThrow('it ended before it answered');
  });
});

const modernMeta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** One request to a server of the demo, started for it. */
async function ask(server: string, method: string, params: JsonObject): Promise<JsonObject> {
  const file = join(repoRoot, 'demo/servers', `${server}.mjs`);
  const child = spawn(process.execPath, [file], { stdio: ['pipe', 'pipe', 'inherit'] });
  try {
    return await createMcpPeer({ input: child.stdin, output: child.stdout, whom: 'It' }).request(method, params);
  } finally {
    child.stdin.end();
  }
}

describe('the servers of the demo', () => {
  it.each([
    ['calendar', 'weekday', { date: '2026-07-28' }, '2026-07-28 is a Tuesday.'],
    ['calendar', 'days_between', { from: '2026-02-28', to: '2026-03-01' }, '1 days from 2026-02-28 to 2026-03-01'],
    ['calendar', 'add_days', { date: '2024-02-28', days: 1 }, '2024-02-29 (Thursday)'],
    ['notes', 'add_note', { text: 'x' }, 'Kept as note 1.'],
    ['text', 'word_count', { text: 'one two\nthree' }, '3 words, 13 characters, 2 lines'],
    ['text', 'slugify', { title: 'Crème brûlée: a guide' }, 'creme-brulee-a-guide'],
    ['text', 'diff_lines', { before: 'a\nb\nc', after: 'a\nc\nd' }, '  a\n- b\n  c\n+ d'],
  ])('%s.%s answers', async (server, name, args, text) => {
    const result = await ask(server, 'tools/call', { name, arguments: args, _meta: modernMeta });
    expect(result.content).toEqual([{ type: 'text', text }]);
    expect(result.isError).toBeUndefined();
  });

  it.each([
    ['calendar', 'weekday', { date: '2026-02-30' }, 'not a date'],
    ['calendar', 'weekday', {}, '"date" is missing'],
    ['notes', 'add_note', { text: 'x', tag: 'y' }, 'Unknown argument "tag"'],
    ['text', 'slugify', { title: 7 }, 'must be of type string'],
  ])('%s.%s tells the model what is wrong with %j', async (server, name, args, message) => {
    const result = await ask(server, 'tools/call', { name, arguments: args, _meta: modernMeta });
    expect(result.isError).toBe(true);
    expect(result.content).toEqual([{ type: 'text', text: expect.stringContaining(message) }]);
  });

  it.each(['notes', 'calendar'])('%s shakes hands', async (server) => {
    const result = await ask(server, 'initialize', { protocolVersion: '2025-06-18', capabilities: {} });
    expect(result).toMatchObject({ protocolVersion: '2025-06-18', serverInfo: { name: server } });
  });

  it('text is of the revision without a handshake', async () => {
    expect(await ask('text', 'server/discover', { _meta: modernMeta })).toMatchObject({
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
    });
    await expect(ask('text', 'initialize', { protocolVersion: '2025-06-18' })).rejects.toThrow(
      'Unsupported protocol version',
    );
    await expect(ask('text', 'tools/list', {})).rejects.toThrow('Missing in _meta');
  });
});
