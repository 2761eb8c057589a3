import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/base/async/clock.ts';
import type { Call } from '../../../src/base/call/call.ts';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { silentLog } from '../../../src/base/text/log.ts';
import { buildItemList, emptyListing, type Listing } from '../../../src/catalog/listing.ts';
import { suggestTools } from '../../../src/front/search/near-tools.ts';
import { searchTools } from '../../../src/front/search/search-tools.ts';
import { parseConfigValue } from '../../../src/index.ts';
import { createBenchSearch } from '../../../src/workbench/search/bench-search.ts';
import { buildSnapshot, type Snapshot } from '../../../src/workbench/view/snapshot.ts';
import { scopeView, type WorkbenchView } from '../../../src/workbench/view/workbench-view.ts';

const limits = { schemaBytes: 1e7, schemaDepth: 64 };

function listingOf(tools: readonly JsonObject[]): Listing {
  const whole = tools.map((tool) => ({ inputSchema: { type: 'object' }, ...tool }));
  return { ...emptyListing, tools: buildItemList('tools', whole, { limits }).items };
}

/** A workbench whose servers have these lists, without any process. */
function benchOf(toolboxes: Record<string, Record<string, readonly JsonObject[]>>) {
  const listings = new Map<string, Listing>();
  const written = Object.entries(toolboxes).map(([name, servers]) => {
    const mcpServers = Object.entries(servers).map(([server, tools]) => {
      listings.set(server, listingOf(tools));
      return [server, { command: server }];
    });
    return [name, { description: `Box ${name}`, mcpServers: Object.fromEntries(mcpServers) }];
  });
  const config = parseConfigValue({ mode: 'search', toolboxes: Object.fromEntries(written) }, { dir: '/', env: {} });
  let snapshot: Snapshot = buildSnapshot(config, listings);
  const view = {
    get snapshot() {
      return snapshot;
    },
    get config() {
      return snapshot.config;
    },
    statusOf: (key: string) => ({ key, name: key, state: 'ready', notes: [], tools: listings.get(key)?.tools.length }),
    listed: async () => {},
    search: createBenchSearch(
      {
        get snapshot() {
          return snapshot;
        },
        statusOf: () => ({}),
      },
      { stateDir: undefined, clock: systemClock, log: silentLog },
    ),
  } as unknown as WorkbenchView;
  return {
    view,
    relist(server: string, tools: readonly JsonObject[]) {
      listings.set(server, listingOf(tools));
      snapshot = buildSnapshot(config, new Map(listings));
    },
  };
}

interface Answer {
  readonly text: string;
  /** The same in the structured content. */
  readonly again?: string;
  readonly results: readonly { readonly matches: readonly JsonObject[]; readonly notShown?: readonly JsonObject[] }[];
}

async function search(view: WorkbenchView, args: JsonObject, client = 'any'): Promise<Answer> {
  const params = { name: 'search_tools', arguments: args };
  const outcome = await searchTools(view, { params, client: { name: client } } as unknown as Call);
  if (!('result' in outcome)) throw new Error('not a result');
  const { content, structuredContent } = outcome.result.value as unknown as {
    content: { text: string }[];
    structuredContent: Omit<Answer, 'text'> & { text?: string };
  };
  const { text: again, results } = structuredContent;
  return { text: content[0]?.text ?? '', results, ...(again === undefined ? {} : { again }) };
}

const say = (name: string, description: string) => ({ name, description });

describe('a search', () => {
  it('of a view with some toolboxes finds and names nothing of the others', async () => {
    const { view } = benchOf({
      open: { chat: [say('send_message', 'Sends a message')] },
      closed: { vault: [say('read_secret_message', 'Reads a secret message')] },
    });
    const scoped = scopeView(view, { toolboxes: new Set(['open']) });
    const all = await search(view, { queries: ['secret message'] });
    expect(all.results[0]?.matches[0]).toMatchObject({ toolbox: 'closed', server: 'vault' });
    for (const query of ['secret message', 'read secret']) {
      const answer = await search(scoped, { queries: [query] });
      expect(JSON.stringify(answer)).not.toMatch(/closed|vault|read_secret/);
    }
    const wanted = { toolbox: 'open', server: 'chat', name: 'read_secret_message' };
    expect(await suggestTools(scoped, wanted, undefined)).not.toContain('vault');
  });

  it('repeats its text as a value for clients that do not give the text to their models, and for no others', async () => {
    const { view } = benchOf({ chat: { chat: [say('send_message', 'Sends a message')] } });
    for (const client of ['claude-code', 'Visual Studio Code']) {
      const { text, again } = await search(view, { queries: ['send message'] }, client);
      expect(again).toBe(text);
    }
    expect((await search(view, { queries: ['send message'] }, 'zed')).again).toBeUndefined();
  });

  it('finds what a server lists now', async () => {
    const { view, relist } = benchOf({
      box: { one: [say('old_tool', 'Paints walls')], two: [say('other', 'Reads mail')] },
    });
    expect((await search(view, { queries: ['paints walls'] })).text).toContain('box/one.old_tool()');
    relist('one', [say('new_tool', 'Paints walls')]);
    const { text } = await search(view, { queries: ['paints walls'] });
    expect(text).toContain('box/one.new_tool()');
    expect(text).not.toContain('old_tool');
  });

  it('shows a tool of a server that is in several toolboxes once, under its shortest address', async () => {
    const chat = { chat: [say('send_message', 'Sends a message')] };
    const { view } = benchOf({ work: chat, chat, home: chat });
    const { text, results } = await search(view, { queries: ['send message'] });
    expect(text).toBe('chat.send_message() — Sends a message');
    expect(results[0]?.matches).toHaveLength(1);
    const { text: there } = await search(view, { queries: ['send message'], toolbox: 'home' });
    expect(there).toBe('home/chat.send_message() — Sends a message');
  });

  it('gives an answer of bounded size from absurd catalogs', async () => {
    const wide = Object.fromEntries(
      Array.from({ length: 400 }, (_, at) => [`${'long_name_'.repeat(9)}${at}`, { type: 'string' }]),
    );
    const tools = Array.from({ length: 300 }, (_, at) => ({
      name: `${'send_message_'.repeat(9)}${at}`.slice(-128),
      description: `\u202e\u200bsend message ${'send message '.repeat(1_000)}`,
      inputSchema: { type: 'object', properties: wide, required: Object.keys(wide) },
      outputSchema: { type: 'object', properties: wide },
    }));
    const { view } = benchOf({ box: { huge: tools } });
    const queries = ['send message', 'message send', 'sends', 'messages'];
    const { text, results } = await search(view, { queries, limit: 20 });
    expect(results.flatMap(({ matches }) => matches)).toHaveLength(80);
    expect(text.length).toBeLessThan(80 * 1_800);
    expect(text).not.toMatch(/[\u202e\u200b]/);
  });
});
