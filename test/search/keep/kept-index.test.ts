import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Item } from '../../../src/catalog/item.ts';
import { createIndexBuilder } from '../../../src/search/index/index-builder.ts';
import { parseIndexBytes, toIndexBytes } from '../../../src/search/keep/index-bytes.ts';
import { createToolSearch, type SearchedServer } from '../../../src/search/tool-search.ts';
import { readWordTables } from '../../../src/search/words/tables.ts';

const words = readWordTables(join(import.meta.dirname, '../../../data'));
const tool = (name: string, description: string): Item => ({
  name,
  shown: name,
  definition: { name, description, inputSchema: { type: 'object', properties: { to: { type: 'string' } } } },
});
/** A new array each time, as a new run has it. */
const servers = (end = ''): SearchedServer[] => [
  {
    key: 'mail',
    names: ['mail'],
    about: 'Mails',
    tools: [tool('send_email', `Sends an email. ${'x '.repeat(40)}${end}`)],
  },
  { key: 'chat', names: ['chat', 'work'], about: '', tools: [tool('post_message', 'Posts a message to a channel')] },
];
const queries = ['send email', 'post a mesage', 'inform my colleague', 'work'];

let stateDir = '';
beforeEach(() => {
  stateDir = mkdtempSync(join(tmpdir(), 'workbench-index-'));
});
afterEach(() => rmSync(stateDir, { recursive: true, force: true }));

async function run(list: readonly SearchedServer[]) {
  const search = createToolSearch({ words, stateDir });
  await search.update(list);
  const answers = queries.map((query) => search.search(query, { limit: 5 }));
  await search.close();
  return answers;
}
const files = () => readdirSync(join(stateDir, 'search')).map((name) => join(stateDir, 'search', name));

describe('an index that is kept between runs', () => {
  it('answers as the one that was built, and is not written again', async () => {
    const first = await run(servers());
    const [file = ''] = files();
    const bytes = readFileSync(file);
    expect(await run(servers())).toEqual(first);
    expect(files()).toEqual([file]);
    expect(readFileSync(file)).toEqual(bytes);
  });

  it('is used: what stands in it is what is found', async () => {
    await run(servers());
    const [file = ''] = files();
    const text = readFileSync(file, 'latin1').replace('"send_email"', '"sent_email"');
    writeFileSync(file, text, 'latin1');
    const search = createToolSearch({ words, stateDir });
    await search.update(servers());
    expect(search.search('send email', { limit: 1 }).hits[0]?.name).toBe('sent_email');
  });

  it('gives way to a new one when a text changed that its name does not tell', async () => {
    await run(servers('alpha'));
    const search = createToolSearch({ words, stateDir });
    await search.update(servers('omega'));
    expect(search.explain('omega', { key: 'mail', name: 'send_email' })[0]?.found).toEqual([]);
    await search.close();
    expect(search.explain('omega', { key: 'mail', name: 'send_email' })[0]?.found).toHaveLength(1);
    expect(search.search('omega', { limit: 1 }).hits[0]?.name).toBe('send_email');
  });

  it('is built again for other servers, and after a change', async () => {
    await run(servers());
    const search = createToolSearch({ words, stateDir });
    await search.update(servers());
    await search.update([
      ...servers().slice(0, 1),
      { ...servers()[1]!, tools: [tool('archive', 'Archives a channel')] },
    ]);
    expect(search.search('archive channel', { limit: 1 }).hits[0]?.name).toBe('archive');
    await search.close();
    expect(files()).toHaveLength(2);
  });

  it('keeps the newest files only', async () => {
    for (let at = 0; at < 12; at++) await run([{ ...servers()[0]!, key: `mail${at}` }]);
    expect(files().length).toBeLessThanOrEqual(8);
  });

  it('is not used when it is damaged, whatever is wrong with it', async () => {
    const first = await run(servers());
    const [file = ''] = files();
    const whole = readFileSync(file);
    const cut = [whole.subarray(0, 300), whole.subarray(0, -9)];
    for (const broken of [Buffer.alloc(0), Buffer.from('{}\n'), Buffer.from('[]\n'), ...cut]) {
      writeFileSync(file, broken);
      expect(await run(servers())).toEqual(first);
      writeFileSync(file, whole);
    }
  });

  it('never holds a place outside of itself after random damage', async () => {
    const index = await createIndexBuilder(words.vectors).build(servers(), () => undefined);
    const bytes = toIndexBytes(index, 'key');
    expect(parseIndexBytes(bytes)).toEqual({ index, fullKey: 'key' });
    let seed = 1;
    const random = (below: number) => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      return (seed >>> 8) % below;
    };
    for (let round = 0; round < 2_000; round++) {
      const damaged = Buffer.from(bytes);
      for (let at = 0; at <= random(3); at++) damaged[random(damaged.length)] = random(256);
      const found = parseIndexBytes(damaged);
      if (found === undefined) continue;
      const { postedTools, toolNames, nameTerms, idf, starts } = found.index;
      expect(Math.max(...postedTools)).toBeLessThan(toolNames.length);
      expect(Math.max(...nameTerms)).toBeLessThan(idf.length);
      expect(starts.at(-1)).toBe(postedTools.length);
    }
  });
});
