/** Holds the trace of a call that ARCHITECTURE.md prints against the program: it is taken from a call that is really made. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { Json } from '../../src/base/json/json.ts';
import type * as LineWriting from '../../src/base/rpc/line-writer.ts';
import { createWorkbench, parseConfigValue, serveStdio } from '../../src/index.ts';

const root = join(import.meta.dirname, '../..');
const server = join(root, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');

/** The frames above each line that was handed to a server. */
const written: { readonly line: string; readonly stack: string }[] = [];

vi.mock('../../src/base/rpc/line-writer.ts', async (importOriginal) => {
  const original = await importOriginal<typeof LineWriting>();
  const createLineWriter: typeof original.createLineWriter = (...options) => {
    const writer = original.createLineWriter(...options);
    return {
      ...writer,
      send(line) {
        const usual = Error.stackTraceLimit;
        Error.stackTraceLimit = 200;
        written.push({ line: String(line), stack: new Error('taken').stack ?? '' });
        Error.stackTraceLimit = usual;
        writer.send(line);
      },
    };
  };
  return { ...original, createLineWriter };
});

interface Frame {
  readonly file: string;
  readonly name: string;
}

/** Our own frames, outermost first. */
function toFrames(stack: string): Frame[] {
  const frames = stack.split('\n').flatMap((line) => {
    const match = /at (?:(.*) \()?.*\/src\/([^:]+\.ts):/.exec(line.trim());
    const name = (match?.[1] ?? '').replace(/^(Object|Function|PassThrough|async)[. ]/, '').replace(/ \[as .*\]$/, '');
    return match === null ? [] : [{ file: match[2] as string, name: name || 'a listener' }];
  });
  return frames.reverse();
}

function toText(frames: readonly Frame[]): string {
  const rows = frames.map(({ file, name }, index) => `${String(index + 1).padStart(2)} ${file.padEnd(44)} ${name}`);
  return ['```', ...rows, '```'].join('\n');
}

function readPrinted(): string {
  const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
  return /<!-- call path -->\n([\s\S]*?)\n<!-- \/call path -->/.exec(text)?.[1] ?? '';
}

it('the way of a call that ARCHITECTURE.md prints is the one that the program takes', async () => {
  const config = parseConfigValue(
    { mode: 'flat', mcpServers: { everything: { command: process.execPath, args: [server, 'stdio'] } } },
    { dir: root, env: {} },
  );
  const workbench = createWorkbench({ config });
  onTestFinished(() => workbench.close());
  const [input, output] = [new PassThrough(), new PassThrough({ encoding: 'utf8' })];
  const service = serveStdio({ workbench, input, output });
  onTestFinished(() => service.close());
  let said = '';
  output.on('data', (text: string) => {
    said += text;
  });
  const say = (message: Record<string, Json>) => input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const answered = (id: number) => vi.waitFor(() => expect(said).toContain(`"id":${id},"result"`), 20_000);

  const clientInfo = { name: 'architecture', version: '1' };
  say({ id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } });
  await answered(1);
  say({ method: 'notifications/initialized' });
  // The first call starts the server; the second goes the way of all others.
  for (const id of [2, 3]) {
    say({ id, method: 'tools/call', params: { name: 'everything:echo', arguments: { message: `call ${id}` } } });
    await answered(id);
  }

  const frames = toFrames(written.find(({ line }) => line.includes('"call 3"'))?.stack ?? '');
  expect(readPrinted()).toBe(toText(frames));
  const files = frames.map(({ file }) => file).filter((file, index, all) => file !== all[index - 1]);
  expect(files.length, 'a file is left and entered again').toBe(new Set(files).size);
  expect(frames.length).toBeLessThanOrEqual(22);
});
