import { describe, expect, it } from 'vitest';
import type { Item } from '../../src/catalog/item.ts';
import { createToolSearch, type SearchedServer, type ToolSearch } from '../../src/search/tool-search.ts';

const tool = (name: string, description = '', properties = {}): Item => ({
  name,
  shown: name,
  definition: { name, description, inputSchema: { type: 'object', properties } },
});
const server = (key: string, tools: readonly Item[], about = ''): SearchedServer => ({
  key,
  names: [key],
  about,
  tools,
});

const chat = server('slack', [
  tool('slack_post_message', 'Post a new message to a Slack channel', { channel_id: { type: 'string' } }),
  tool('slack_list_channels', 'List public channels'),
  tool('slack_delete_message', 'Delete a message'),
]);
const code = server('github', [
  tool('create_issue', 'Create a new issue in a GitHub repository'),
  tool('createPullRequest', 'Open a pull request'),
  tool('search_code', 'Search for code', { q: { type: 'string', description: 'Search terms' } }),
]);
const mail = server('gmail', [tool('send_email', 'Sends a new email'), tool('delete_email', 'Deletes an email')]);

async function searchOver(...servers: SearchedServer[]): Promise<ToolSearch> {
  const search = createToolSearch();
  await search.update(servers);
  return search;
}
const namesOf = (search: ToolSearch, query: string) => search.search(query, { limit: 5 }).hits.map(({ name }) => name);

describe('searching tools', () => {
  it.each([
    ['slack post message', 'slack_post_message'],
    ['create github issue', 'create_issue'],
    ['open a pull request', 'createPullRequest'],
    ['sending emails', 'send_email'],
    ['mail somebody', 'send_email'],
    ['slack post mesage', 'slack_post_message'],
    ['remove the email', 'delete_email'],
  ])('%s finds %s first', async (query, name) => {
    expect(namesOf(await searchOver(chat, code, mail), query)[0]).toBe(name);
  });

  it('finds nothing for words that no tool has, and for no words', async () => {
    const search = await searchOver(chat);
    for (const query of ['zzzzqqq', '', 'the of and', '!!!'])
      expect(search.search(query, { limit: 5 })).toEqual({ hits: [], explained: 0, clear: false });
  });

  it('gives as many hits as asked for, with scores that fall', async () => {
    const search = await searchOver(chat, code, mail);
    const { hits } = search.search('new message issue email', { limit: 3 });
    expect(hits).toHaveLength(3);
    expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).sort((a, b) => b - a));
  });

  it('finds only accepted tools', async () => {
    const search = await searchOver(chat, code, mail);
    const { hits } = search.search('post message', {
      limit: 5,
      accepts: (_key, name) => name !== 'slack_post_message',
    });
    expect(hits.map(({ name }) => name)).not.toContain('slack_post_message');
    expect(hits[0]?.name).toBe('slack_delete_message');
  });

  it('answers the same whatever the order of the servers', async () => {
    const one = await searchOver(chat, code, mail);
    const other = await searchOver(mail, code, chat);
    for (const query of ['create new message', 'email', 'list'])
      expect(one.search(query, { limit: 20 })).toEqual(other.search(query, { limit: 20 }));
  });

  it('follows servers that change, leave and come', async () => {
    const search = await searchOver(chat, mail);
    await search.update([{ ...chat, tools: [tool('archive_channel', 'Archive a channel')] }, code]);
    expect(namesOf(search, 'archive channel')[0]).toBe('archive_channel');
    expect(namesOf(search, 'send email')).not.toContain('send_email');
    expect(namesOf(search, 'create issue')[0]).toBe('create_issue');
    const fresh = await searchOver({ ...chat, tools: [tool('archive_channel', 'Archive a channel')] }, code);
    expect(search.search('archive new channel', { limit: 9 })).toEqual(
      fresh.search('archive new channel', { limit: 9 }),
    );
  });

  it('tells one clear winner from a choice, and a weak answer from a good one', async () => {
    const search = await searchOver(chat, code, mail);
    expect(search.search('slack post message', { limit: 5 })).toMatchObject({ clear: true });
    expect(search.search('message', { limit: 5 })).toMatchObject({ clear: false });
    expect(search.search('slack post message', { limit: 5 }).explained).toBeGreaterThan(0.9);
    expect(search.search('grow tomatoes on Mars with a message', { limit: 5 }).explained).toBeLessThan(0.35);
  });
});
