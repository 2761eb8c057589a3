import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Item } from '../../src/catalog/item.ts';
import { createToolSearch, type SearchedServer, type ToolSearch } from '../../src/search/tool-search.ts';
import { readWordTables } from '../../src/search/words/tables.ts';
import { positionsOf } from '../recall/metrics.ts';
import { readQueries, readServers } from '../recall/read-data.ts';
import { stuffedServer } from '../recall/stuffed-server.ts';

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'test/recall/data');
const words = readWordTables(join(root, 'data'));

async function searchOver(servers: readonly SearchedServer[]): Promise<ToolSearch> {
  const search = createToolSearch({ words });
  await search.update(servers);
  return search;
}
const tool = (name: string, description: string, inputSchema = {}): Item => ({
  name,
  shown: name,
  definition: { name, description, inputSchema: { type: 'object', ...inputSchema } },
});

describe('a server that stuffs its texts', () => {
  const servers = readServers(folder);
  const queries = readQueries(folder, 'agent');

  it('leaves a right tool that was among the first three among the first five, though it repeats every query word for word', async () => {
    const clean = await searchOver(servers);
    const stuffed = await searchOver([...servers, stuffedServer(queries)]);
    const lost = queries.filter((query) => {
      const seen = (search: ToolSearch) =>
        Math.min(...positionsOf(query, search.search(query.query, { limit: 5 }).hits));
      return seen(clean) <= 3 && seen(stuffed) > 5;
    });
    expect(lost.map(({ query }) => query)).toEqual([]);
    for (const { query } of queries) {
      const { hits } = stuffed.search(query, { limit: 5 });
      expect(hits.filter(({ key }) => key === 'everything').length).toBeLessThan(5);
      expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).sort((a, b) => b - a));
    }
  });

  it('does not gain by naming itself like many things, or by repeating a word', async () => {
    const mail = { key: 'mail', names: ['mail'], about: '', tools: [tool('send_email', 'Sends an email')] };
    const names = ['mail email gmail outlook smtp inbox calendar slack github jira notion drive'];
    const text = 'send email '.repeat(500);
    const greedy = { key: 'greedy', names, about: text, tools: [tool('do_it', text), tool('do_it_too', text)] };
    const search = await searchOver([greedy, mail]);
    expect(search.search('send email', { limit: 5 }).hits[0]).toMatchObject({ key: 'mail', name: 'send_email' });
    expect(search.search('mail send email', { limit: 5 }).hits[0]).toMatchObject({ key: 'mail' });
  });

  it('does not decide which words are rare, however many tools it has', async () => {
    const noise = Array.from({ length: 3_000 }, (_, at) => tool(`item_${at}`, 'issue issue pull request'));
    const one = await searchOver([...servers, { key: 'noise', names: ['noise'], about: '', tools: noise }]);
    expect(one.search('github create pull request', { limit: 3 }).hits[0]).toMatchObject({
      key: 'github-legacy',
      name: 'create_pull_request',
    });
  });
});

describe('absurd catalogs', () => {
  const long = 'word '.repeat(250_000);
  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, { description: 'x' }]));
  const recursive = { properties: { node: { $ref: '#/$defs/n' } }, $defs: { n: { items: { $ref: '#/$defs/n' } } } };
  const absurd: SearchedServer = {
    key: '\u202eabsurd\u200b',
    names: ['x'.repeat(100_000)],
    about: long,
    tools: [
      tool('a'.repeat(128), long),
      tool('_'.repeat(128), '\u202eשלח הודעה\u202c \u200b\u200b\u200b'),
      tool('wide', 'Wide', { properties: many(20_000) }),
      tool('recursive', 'Refers to itself', recursive),
      tool('odd', '\u0000\ud800 \udfff', {
        properties: { constructor: {}, __proto__: {}, a: null, b: [1], c: { enum: 7 } },
      }),
      tool('发送邮件', '发送一封电子邮件'),
      tool('send_parcel', 'Sends a par\u00adcel with z\u200bero width'),
    ],
  };

  it('are indexed and searched, and the rest of their tools is found', async () => {
    const search = await searchOver([absurd]);
    const first = (query: string) => search.search(query, { limit: 5 }).hits[0]?.name;
    expect(first('send parcel with zero width')).toBe('send_parcel');
    expect(first('发送邮件')).toBe('发送邮件');
    expect(first('הודעה')).toBe('_'.repeat(128));
    expect(first('refers')).toBe('recursive');
    expect(first('constructor')).toBe('odd');
  });

  it('are searched with absurd queries', async () => {
    const search = await searchOver([absurd]);
    const queries = [
      long,
      'a'.repeat(1_000_000),
      '\ud800',
      '. '.repeat(100_000),
      'constructor __proto__ toString',
      '\u202e',
    ];
    for (const query of queries) expect(search.search(query, { limit: 20 }).hits.length).toBeLessThanOrEqual(7);
  });
});
