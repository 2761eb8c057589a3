import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { buildItemList, emptyListing } from '../../../src/catalog/listing.ts';
import type { ServerDefinition } from '../../../src/config/model/config.ts';
import { defaultLimits as limits } from '../../../src/config/model/schema-limits.ts';
import { parseConfigValue } from '../../../src/config/read/parse.ts';
import { createCatalogCache } from '../../../src/downstream/listing/catalog-cache.ts';
import type { Known } from '../../../src/downstream/listing/known.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { tempDir } from '../../support/processes.ts';

const hour = 60 * 60 * 1_000;
const secret = 'hunter2-hunter2';

function define(entry: JsonObject, dir = '/'): ServerDefinition {
  const { servers } = parseConfigValue({ mcpServers: { s: entry } }, { dir, env: {} });
  const [definition] = [...servers.values()];
  if (definition === undefined) throw new Error('the configuration has a server');
  return definition;
}

const plain = define({ command: 'x', args: ['1'] });

function know(names: readonly string[], more: Partial<Known> = {}): Known {
  const entries = names.map((name) => ({ name, inputSchema: { type: 'object' } }));
  return {
    listing: { ...emptyListing, tools: buildItemList('tools', entries, { limits }).items },
    hints: new Map(),
    about: { era: 'modern', protocolVersion: '2026-07-28', info: { name: 'n', version: '1' }, instructions: 'Please.' },
    heardAt: 0,
    ...more,
  };
}

function setUp(stateDir: string | undefined = tempDir()) {
  const clock = createFakeClock();
  const open = (fresh = false) => createCatalogCache({ stateDir, clock, fresh });
  const keep = async (definition: ServerDefinition, known: Known) => {
    const keeper = open();
    keeper.keep(definition, known);
    await keeper.close();
  };
  const names = (definition: ServerDefinition, fresh = false) =>
    open(fresh)
      .find(definition, limits)
      ?.listing.tools.map(({ name }) => name);
  const folder = join(stateDir ?? '', 'catalog');
  const files = () => readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  const read = () => files().map((name) => readFileSync(join(folder, name), 'utf8'));
  return { clock, open, keep, names, folder, files, read };
}

describe('what was heard of a server', () => {
  it('is known in the next run, with what it said of itself', async () => {
    const { open, keep } = setUp();
    const known = know(['one', 'two'], { heardAt: 0 });
    await keep(plain, known);
    expect(open().find(plain, limits)).toMatchObject({ listing: known.listing, about: known.about, heardAt: 0 });
  });

  it('is known as soon as it is kept, also to who had found nothing before', async () => {
    const { open, keep } = setUp();
    const keeper = open();
    expect(keeper.find(plain, limits)).toBeUndefined();
    await keep(plain, know(['one']));
    expect(keeper.find(plain, limits)?.listing.tools).toHaveLength(1);
  });

  it.each<[string, JsonObject, string?]>([
    ['another command', { command: 'y', args: ['1'] }],
    ['other arguments', { command: 'x', args: ['2'] }],
    ['another folder', { command: 'x', args: ['1'], cwd: '/elsewhere' }],
    ['the folder of another file', { command: 'x', args: ['1'] }, '/elsewhere'],
    ['a variable', { command: 'x', args: ['1'], env: { A: '1' } }],
    ['an address', { url: 'https://one.example/mcp' }],
  ])('is not known of a server with %s', async (_, entry, dir) => {
    const { keep, names } = setUp();
    await keep(plain, know(['one']));
    expect(names(define(entry, dir))).toBeUndefined();
  });

  it.each<[string, (value: string) => JsonObject]>([
    ['variable', (value) => ({ command: 'x', env: { TOKEN: value } })],
    ['header', (value) => ({ url: 'https://one.example/mcp', headers: { Authorization: value } })],
    ['client', (value) => ({ url: 'https://one.example/mcp', oauth: { clientId: value } })],
  ])('is of one account: with another %s it is another server, and the value is nowhere on disk', async (_, entry) => {
    const { keep, names, folder, files } = setUp();
    await keep(define(entry(secret)), know(['mine']));
    await keep(define(entry('another')), know(['other']));
    expect(names(define(entry(secret)))).toEqual(['mine']);
    expect(names(define(entry('another')))).toEqual(['other']);
    expect(files()).toHaveLength(2);
    const written = readdirSync(folder).map((name) => name + readFileSync(join(folder, name), 'utf8'));
    expect(written.join()).not.toContain(secret);
  });

  it('is not believed of a server that is disabled, nor by who wants to hear it anew', async () => {
    const { keep, names } = setUp();
    await keep(plain, know(['one']));
    expect(names(define({ command: 'x', args: ['1'], disabled: true }))).toBeUndefined();
    expect(names(plain, true)).toBeUndefined();
    expect(names(plain)).toEqual(['one']);
  });

  it('is not believed any more after thirty days', async () => {
    const { clock, keep, names } = setUp();
    await keep(plain, know(['one']));
    await clock.advance(30 * 24 * hour);
    expect(names(plain)).toEqual(['one']);
    await clock.advance(1);
    expect(names(plain)).toBeUndefined();
  });

  it('is as old as can be when it is dated in the future', async () => {
    const { open, keep } = setUp();
    await keep(plain, know(['one'], { heardAt: 5_000 }));
    expect(open().find(plain, limits)?.heardAt).toBe(0);
  });

  it('is told of the server itself without its lists, and its lists are found afterwards', async () => {
    const { open, keep, clock } = setUp();
    await keep(plain, know(['one']));
    const cache = open();
    expect(cache.findAbout(plain, '')).toEqual(know([]).about);
    expect(cache.findAbout(plain, 'other')).toBeUndefined();
    expect(cache.find(plain, limits)?.listing.tools).toHaveLength(1);
    expect(open(true).findAbout(plain, '')).toBeUndefined();
    await clock.advance(31 * 24 * hour);
    expect(open().findAbout(plain, '')).toBeUndefined();
  });

  it('is not known when it is nothing', async () => {
    const { keep, names } = setUp();
    await keep(plain, know(['one']));
    await keep(plain, know([]));
    expect(names(plain)).toBeUndefined();
  });

  it('is not known when its file was damaged, and is written anew', async () => {
    const { keep, names, folder, files } = setUp();
    await keep(plain, know(['one']));
    for (const name of files()) writeFileSync(join(folder, name), '{"format":2,"heardAt":0}\n{}\n{"tools":[{"na');
    expect(names(plain)).toBeUndefined();
    await keep(plain, know(['one']));
    expect(names(plain)).toEqual(['one']);
  });

  it('says of the server only what a server may say', async () => {
    const { open, keep, folder, files } = setUp();
    await keep(plain, know(['one']));
    const lists = JSON.stringify({ tools: [{ name: 'one', inputSchema: {} }] });
    const about = { era: 'future', protocolVersion: 'x\n'.repeat(100), info: { name: 'a\u001b[31m' }, instructions: 7 };
    for (const name of files())
      writeFileSync(join(folder, name), `{"format":2,"heardAt":0}\n${JSON.stringify(about)}\n${lists}`);
    const found = open().find(plain, limits)?.about;
    expect(open().findAbout(plain, '')).toEqual(found);
    expect(Object.keys(found ?? {})).toEqual(['protocolVersion', 'info']);
    expect(JSON.stringify(found)).not.toMatch(/\\u001b|\\n/);
    expect(found?.protocolVersion?.length).toBeLessThanOrEqual(41);
  });
});

describe('keeping', () => {
  it('writes a moment later, and once for many servers and many changes', async () => {
    const { clock, open, files } = setUp();
    const keeper = open();
    keeper.keep(plain, know(['one']));
    await clock.advance(100);
    keeper.keep(plain, know(['two']));
    keeper.keep(define({ command: 'y' }), know(['three']));
    expect(clock.pending).toBe(1);
    expect(files).toThrow();
    await clock.advance(400);
    await keeper.close();
    expect(files()).toHaveLength(2);
    expect(keeper.find(plain, limits)?.listing.tools[0]?.name).toBe('two');
  });

  it('does not write what says the same, unless it would look old', async () => {
    const { keep, read } = setUp();
    const heardAt = (at: number) => keep(plain, know(['one'], { heardAt: at })).then(() => read()[0]);
    const first = await heardAt(0);
    expect(await heardAt(hour - 1)).toBe(first);
    expect(await heardAt(hour)).toContain(`"heardAt":${hour}`);
    expect(await heardAt(0)).toContain('"heardAt":0');
  });

  it('of two Workbenches at once leaves what one of them heard', async () => {
    const { open, names } = setUp();
    const [a, b] = [open(), open()];
    a.keep(plain, know(['one']));
    b.keep(plain, know(['two']));
    await Promise.all([a.close(), b.close()]);
    expect([['one'], ['two']]).toContainEqual(names(plain));
  });

  it('does nothing without a folder', async () => {
    const keeper = createCatalogCache({ stateDir: undefined, clock: createFakeClock(), fresh: false });
    keeper.keep(plain, know(['one']));
    await keeper.close();
    expect(keeper.find(plain, limits)).toBeUndefined();
  });

  it('goes on when nothing can be written', async () => {
    const file = join(tempDir(), 'file');
    writeFileSync(file, '');
    const { keep, names } = setUp(file);
    await keep(plain, know(['one']));
    await keep(define({ command: 'x', env: { A: 'b' } }), know(['one']));
    expect(names(plain)).toBeUndefined();
  });
});
