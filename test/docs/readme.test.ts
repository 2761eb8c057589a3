import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/json/json.ts';
import { callTool } from '../contract/support.ts';
import { eventually } from '../support/eventually.ts';
import { tempDir } from '../support/processes.ts';
import { assertBuilt, prepareProgram, programPath, repoRoot, startProgram } from '../support/program.ts';
import { startRaw } from '../support/raw-client.ts';
import { parseConsole, toPattern, withoutTimes } from './console.ts';
import { exists, findExamples, findUnmarked, getExample, readPage, writtenPages } from './pages.ts';

const readme = readPage('README.md');
const examples = findExamples(readme);
const textOf = (name: string) => getExample(examples, name).text;
const run = promisify(execFile);

beforeAll(() => assertBuilt());

/** The page starts servers with npx as its readers do; here they come from node_modules, without a download. */
function withInstalledServers(config: string): string {
  return config.replace(/"npx", "args": \["-y", "([^"]+)"/g, (_, name: string) => {
    return `"node", "args": [${JSON.stringify(serverFile(name))}`;
  });
}

function serverFile(name: string): string {
  return join(repoRoot, 'node_modules', name, 'dist/index.js');
}

/** The opposite, for what the program prints about its servers. */
function withNpx(output: string): string {
  const names = ['filesystem', 'memory'].map((name) => `@modelcontextprotocol/server-${name}`);
  return names.reduce((text, name) => text.replaceAll(`node ${serverFile(name)}`, `npx -y ${name}`), output);
}

/** A folder with the first configuration of the page, and the environment to use it in. */
function prepareFolder(): { dir: string; env: NodeJS.ProcessEnv } {
  const { dir, env } = prepareProgram();
  writeFileSync(join(dir, 'workbench.jsonc'), withInstalledServers(textOf('config toolboxes')));
  return { dir, env: { ...process.env, ...env } };
}

/** Mode and call of each row: the first and the last piece of code in it. */
function modeRows(): [mode: string, params: string][] {
  const rows = textOf('modes').trimEnd().split('\n').slice(2);
  return rows.map((row) => {
    const code = [...row.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text);
    return [code[0] ?? '', code.at(-1) ?? ''];
  });
}

/** Client, place and what to write there. */
function clientRows(): [client: string, where: string, written: string][] {
  const rows = textOf('clients').trimEnd().split('\n').slice(2);
  return rows.map((row) => {
    const [, client = '', where = '', written = ''] = row
      .split(' | ')
      .flatMap((cell, at) => (at === 0 ? ['', cell] : [cell]));
    return [client.replace('| ', ''), where, [...written.matchAll(/`([^`]+)`/g)].map(([, text]) => text).join('\n')];
  });
}

/** The command line in what a client is given, whatever its language. */
function toCommandLine(written: string): string[] {
  if (written.includes(' mcp add ')) return written.split(' -- ')[1]?.split(' ') ?? [];
  const json = /^[^{]*'(\{.*\})'$/.exec(written)?.[1] ?? written;
  if (json.startsWith('{')) return findCommand(JSON.parse(json)) ?? [];
  const [, command = ''] = /(?:command = "|cmd: )(\w+)/.exec(written) ?? [];
  const [, args = '[]'] = /args(?: =|:) (\[[^\]]*\])/.exec(written) ?? [];
  return [command, ...(JSON.parse(args) as string[])];
}

function findCommand(value: unknown): string[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if ('command' in value) return [value.command, 'args' in value ? value.args : []].flat() as string[];
  return Object.values(value)
    .map(findCommand)
    .find((found) => found !== undefined);
}

describe('the README', () => {
  it('is no longer than can be read at once', () => {
    expect(readme.split('\n').length).toBeLessThanOrEqual(250);
  });

  it('has no example of a configuration, a command or code that is not run here', () => {
    expect(findUnmarked(readme, ['json', 'jsonc', 'js', 'ts', 'sh', 'console', ''])).toEqual([]);
    const http = ['http serve', 'http curl'];
    const names = [
      'start',
      'config toolboxes',
      'config plain',
      'client entry',
      'clients',
      'modes',
      ...http,
      'commands',
      'library',
    ];
    expect(examples.map(({ name }) => name).sort()).toEqual(names.sort());
  });

  it.each([
    ['config toolboxes', 'meta'],
    ['config plain', 'flat'],
  ])('gives a %s that works and is in mode %s', async (name, mode) => {
    const { command, args, env, dir } = prepareProgram({
      config: withInstalledServers(textOf(name)),
      args: ['check', '--json'],
    });
    const { stdout } = await run(command, args, { cwd: dir, env: { ...process.env, ...env } });
    const report = JSON.parse(stdout) as { config: { mode: string }; servers: { name: string; state: string }[] };
    expect(report.config.mode).toBe(mode);
    expect(report.servers.map(({ name, state }) => `${name} ${state}`).sort()).toEqual(['files ready', 'memory ready']);
  });

  it('gives an entry with which a client starts the program', async () => {
    const { dir, env } = prepareFolder();
    const { mcpServers } = JSON.parse(textOf('client entry')) as {
      mcpServers: Record<string, { command: string; args: string[] }>;
    };
    const { command, args } = mcpServers.workbench!;
    const real = args.map((arg) =>
      arg.replace('/path/to/clone/', `${repoRoot}/`).replace('/path/to/workbench.jsonc', join(dir, 'workbench.jsonc')),
    );
    const client = startRaw(command, real, { cwd: tempDir(), env });
    const { message } = await client.legacyHandshake();
    expect((message.result as JsonObject).instructions).toContain('- project (1 server): Read and change');
    expect((await client.close()).code).toBe(0);
  });

  it.each(clientRows())('gives %s, in %s, what starts the program', async (_client, _where, written) => {
    const { dir, env } = prepareFolder();
    const words = toCommandLine(written).map((word) =>
      word.replace('/path/to/clone/', `${repoRoot}/`).replace('/path/to/workbench.jsonc', join(dir, 'workbench.jsonc')),
    );
    expect(words[0]).toBe('node');
    const client = startRaw(process.execPath, words.slice(1), { cwd: tempDir(), env });
    const { message } = await client.legacyHandshake();
    expect((message.result as JsonObject).instructions).toContain('- project (1 server): Read and change');
    expect((await client.close()).code).toBe(0);
  });

  it('names a schema that is there', () => {
    const [, path = ''] = /"\$schema": "\/path\/to\/clone\/([^"]+)"/.exec(textOf('config toolboxes')) ?? [];
    expect(exists(path)).toBe(true);
  });

  it('tells nobody to run a package that is not published', () => {
    for (const page of writtenPages()) expect(readPage(page)).not.toMatch(/npx (?:-y )?mcp-workbench/);
  });

  it.each(modeRows())('shows a call that works in mode %s', async (mode, params) => {
    const config = withInstalledServers(textOf('config toolboxes'));
    const client = startProgram({ config, args: ['--mode', mode] });
    await client.legacyHandshake();
    const call = JSON.parse(params) as { name: string; arguments: JsonObject };
    const { isError, text } = await callTool(client, call.name, call.arguments);
    expect(text).toContain('[FILE] workbench-config.json');
    expect(isError).toBe(false);
    expect((await client.close()).code).toBe(0);
  });

  it('shows what npm start prints', async () => {
    const [step] = parseConsole(textOf('start'));
    expect(step?.words).toEqual(['npm', 'start']);
    // What npm start runs in a clone that is installed and built, as this one is.
    const { stdout } = await run(process.execPath, [programPath, 'demo'], { cwd: tempDir() });
    expect(stdout.trimEnd()).toMatch(toPattern(step!.output));
  });

  it('shows what its commands print, one after the other in one folder', async () => {
    const { dir, env } = prepareFolder();
    for (const { words, output } of parseConsole(textOf('commands'))) {
      const [program, ...args] = words;
      expect(program).toBe('mcp-workbench');
      const { stdout } = await run(process.execPath, [programPath, ...args], { cwd: dir, env });
      expect(withNpx(withoutTimes(stdout)).trimEnd(), words.join(' ')).toMatch(toPattern(output));
    }
  });

  it.skipIf(process.platform === 'win32')('gives lines for curl that work in both eras', async () => {
    const { dir, env } = prepareFolder();
    const [step] = parseConsole(textOf('http serve'));
    // The port of the page may be in use here.
    const args = step!.words.slice(1).map((word) => (word === '--http' ? '--http=0' : word));
    const program = startRaw(process.execPath, [programPath, ...args], { cwd: dir, env });
    const port = await eventually(() => {
      const [, found] = /listens at http:\/\/127\.0\.0\.1:(\d+)\/mcp/.exec(program.stderr) ?? [];
      if (found === undefined) throw new Error(`not yet: ${program.stderr}`);
      return found;
    }, 10_000);
    const { stdout } = await run('sh', ['-c', textOf('http curl').replaceAll(':3917/', `:${port}/`)], { cwd: dir });
    const answers = stdout.split('{"jsonrpc"').slice(1);
    expect(answers.map((answer) => JSON.parse(`{"jsonrpc"${answer}`).id)).toEqual([1, 2]);
    for (const answer of answers) expect(answer).toContain('[FILE] workbench.jsonc');
    expect((await program.kill('SIGTERM')).code).toBe(0);
  });

  it('gives an example of the library that calls a tool and serves a client', async () => {
    const { dir, env } = prepareFolder();
    mkdirSync(join(dir, 'node_modules'));
    symlinkSync(repoRoot, join(dir, 'node_modules/mcp-workbench'), 'junction');
    writeFileSync(join(dir, 'example.mjs'), textOf('library'));
    const client = startRaw(process.execPath, ['example.mjs'], { cwd: dir, env });
    await client.legacyHandshake();
    expect(client.stderr).toContain('[FILE] workbench.jsonc');
    const { isError } = await callTool(client, 'open_toolbox', { toolbox: 'project' });
    expect(isError).toBe(false);
    expect((await client.close()).code).toBe(0);
  });
});
