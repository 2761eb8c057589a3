/**
 * What mode `search` costs a model, in tokens of o200k: the built program over a pipe, with one process per recorded catalog.
 *
 *   start, startKnown  the list of tools and the instructions, before and after the tools are known
 *   perToolbox, overOneTool  what a further toolbox adds; what many tools in each add over one in each
 *   search, slowSearch  the text of one search with the default limit: median and 95th percentile
 *   described, describedShare  a tool described as TypeScript, and against its JSON, which must be whole
 *   find  finding one tool: the start, a search and a description
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

const here = dirname(fileURLToPath(import.meta.url));
const program = join(here, '../../dist/mcp-workbench.cjs');
const replay = join(here, '../fixtures/servers/replay.mjs');

/** The size that the targets are stated for; catalogs are repeated under other names up to it. */
const toolboxes = 57;

/** Measures over the catalogs and the queries of a folder; gives plain numbers. */
export async function measureTokens(folder = join(here, 'data')) {
  const [agent, user] = ['agent', 'user'].map((phrasing) => readLines(join(folder, `intents-${phrasing}.jsonl`)));
  const state = mkdtempSync(join(tmpdir(), 'tokens-'));
  const catalogs = writeCatalogs(join(folder, 'catalogs.jsonl.br'), state);
  try {
    const all = fill(catalogs, toolboxes);
    const fewer = await startCost(join(state, 'fewer'), fill(catalogs, toolboxes - 10));
    const oneEach = await startCost(join(state, 'one'), all, ['MOST=1']);
    const whole = await startCost(join(state, 'whole'), all);
    const searches = [];
    const described = [];
    const client = await open(join(state, 'whole'), all);
    for (const { query } of [...agent, ...user])
      searches.push(countTokens(await client.text('search_tools', { queries: [query] })));
    for (const { gold } of agent) described.push(await describe(client, catalogs, firstTool(gold)));
    await client.close();
    const known = Math.max(whole.before, whole.after);
    const ts = mean(described.map((each) => each.ts));
    const json = mean(described.map((each) => each.json));
    const search = mean(searches);
    const whollyTold = described.filter((each) => each.whole).length;
    if (whollyTold < described.length)
      throw new Error(`only ${whollyTold} of ${described.length} tools are whole as JSON`);
    return {
      start: whole.before,
      startKnown: whole.after,
      perToolbox: round((whole.after - fewer.after) / 10),
      overOneTool: whole.after - oneEach.after,
      search: quantile(searches, 0.5),
      slowSearch: quantile(searches, 0.95),
      described: Math.round(ts),
      describedShare: Math.round((1_000 * ts) / json) / 1_000,
      find: Math.round(known + search + ts),
    };
  } finally {
    rmSync(state, { recursive: true, force: true });
  }
}

/** What a client reads before its first call: in a first run, and in one that knows the tools. */
async function startCost(state, catalogs, options = []) {
  const first = await open(state, catalogs, options);
  const before = await first.cost();
  // The first search waits until the servers are known, and they are kept when the program ends.
  await first.text('search_tools', { queries: ['anything'] });
  await first.close();
  const second = await open(state, catalogs, options);
  const after = await second.cost();
  await second.close();
  return { before, after };
}

async function describe(client, catalogs, { server, name }) {
  const tool = { toolbox: server, server, name };
  const definition = catalogs.find((each) => each.name === server)?.tools.find((each) => each.name === name);
  const ts = await client.text('describe_tools', { tools: [tool] });
  const [given] = JSON.parse(await client.text('describe_tools', { tools: [tool], format: 'json' })).tools;
  const isWhole = ['description', 'inputSchema'].every(
    (key) => JSON.stringify(given[key]) === JSON.stringify(definition[key]),
  );
  return { ts: countTokens(ts), json: countTokens(JSON.stringify(definition)), whole: isWhole };
}

function firstTool([need]) {
  return need.anyOf?.[0] ?? need;
}

async function open(state, catalogs, options = []) {
  mkdirSync(join(state, 'state'), { recursive: true });
  const config = join(state, 'config.json');
  const mcpServers = Object.fromEntries(
    catalogs.map(({ name, file }) => [name, { command: process.execPath, args: [replay, `FILE=${file}`, ...options] }]),
  );
  writeFileSync(config, JSON.stringify({ mode: 'search', startWaitMs: 60_000, mcpServers }));
  const child = spawn(process.execPath, [program, '--config', config], {
    env: { ...process.env, WORKBENCH_STATE: join(state, 'state') },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const waiting = new Map();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id, result, error } = JSON.parse(line);
    const settle = waiting.get(id);
    if (error !== undefined) settle?.reject(new Error(JSON.stringify(error)));
    else settle?.resolve(result);
  });
  let last = 0;
  const ask = (method, params = {}) =>
    new Promise((resolve, reject) => {
      waiting.set(++last, { resolve, reject });
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: last, method, params })}\n`);
    });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const { instructions } = await ask('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'tokens', version: '1' },
  });
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  return {
    async cost() {
      const { tools } = await ask('tools/list');
      const texts = tools.map(({ name, description, inputSchema }) =>
        JSON.stringify({ name, description, inputSchema }),
      );
      return [...texts, instructions].reduce((sum, text) => sum + countTokens(text), 0);
    },
    async text(name, args) {
      const { content, isError } = await ask('tools/call', { name, arguments: args });
      if (isError) throw new Error(content[0].text);
      return content[0].text;
    },
    async close() {
      child.stdin.end();
      await ended;
    },
  };
}

/** Each catalog as a file that a server can replay. */
function writeCatalogs(file, folder) {
  return readLines(file).map((catalog) => {
    const own = join(folder, `${catalog.server}.json`);
    writeFileSync(own, JSON.stringify(catalog));
    return { name: catalog.server, file: own, tools: catalog.tools };
  });
}

/** As many as wanted: the smallest ones again, under names that a user would give. */
function fill(catalogs, count) {
  const names = ['stripe', 'sentry', 'todoist', 'exa', 'filesystem', 'memory', 'supabase', 'vercel', 'zapier', 'redis'];
  const small = [...catalogs].sort((a, b) => a.tools.length - b.tools.length);
  const more = names
    .slice(0, Math.max(0, count - catalogs.length))
    .map((name, at) => ({ ...small[at % small.length], name }));
  return [...catalogs.slice(0, count), ...more];
}

function readLines(file) {
  const bytes = readFileSync(file);
  const text = (file.endsWith('.br') ? brotliDecompressSync(bytes) : bytes).toString('utf8');
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

function round(value) {
  return Math.round(10 * value) / 10;
}

function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.stdout.write(`${JSON.stringify(await measureTokens(process.argv[2]), null, 2)}\n`);
}
