// @module-tag large
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/json/json.ts';
import { startProgram } from '../support/program.ts';
import { type RawClient, startRaw } from '../support/raw-client.ts';
import { fixture } from '../support/servers.ts';
import type { RawMessage } from '../support/transcript.ts';
import { assertOnlyMessages } from '../support/wire-check.ts';
import { memberTexts, resultTextOf } from './member-texts.ts';

type Era = 'legacy' | 'modern';
type Mode = 'meta' | 'dynamic' | 'flat';
const eras: readonly Era[] = ['legacy', 'modern'];
const modes: readonly Mode[] = ['meta', 'dynamic', 'flat'];
const combinations = eras.flatMap((client) =>
  eras.flatMap((server) => modes.map((mode) => ({ client, server, mode }))),
);
const large = 20_000_000;
/** What each era writes into a result for its own hop. */
const hopMembers = ['resultType', 'ttlMs', 'cacheScope'];
const isHopKey = (key: string) => key.startsWith('io.modelcontextprotocol/');

function ask(client: RawClient, era: Era, method: string, params: JsonObject = {}): Promise<RawMessage> {
  return client[era === 'modern' ? 'modern' : 'request'](method, params, { timeoutMs: 25_000 });
}

function call(client: RawClient, { era, mode }: { era: Era; mode: Mode }, name: string, args: JsonObject = {}) {
  const params = {
    meta: { name: 'use_tool', arguments: { tool: { toolbox: 'box', server: 'raw', name }, arguments: args } },
    dynamic: { name: `box__raw__${name}`, arguments: args },
    flat: { name: `raw:${name}`, arguments: args },
  };
  return ask(client, era, 'tools/call', params[mode]);
}

/** The server itself, without anything between. */
async function startServer(era: Era): Promise<RawClient> {
  const { command, args } = fixture(`raw-${era}`, { ODD_TOOL: 1 });
  const server = startRaw(command, args);
  if (era === 'legacy') await server.legacyHandshake();
  return server;
}

const toolsOf = ({ message }: RawMessage) => (message.result as JsonObject).tools as JsonObject[];
const named = (tools: JsonObject[], name: string) => tools.find((tool) => tool.name === name);

/** The members that belong to the tool, with their texts; those of the hop must be what the era of the client wants. */
function ownMembers(text: string): Map<string, string> {
  const members = memberTexts(text);
  for (const name of hopMembers) members.delete(name);
  const meta = [...memberTexts(members.get('_meta') ?? '{}')].filter(([key]) => !isHopKey(key));
  members.delete('_meta');
  for (const [key, value] of meta) members.set(`_meta ${key}`, value);
  return members;
}

describe.each(combinations)('a $client client of a $server server in mode $mode', ({ client: era, server, mode }) => {
  let client: RawClient;
  let direct: RawClient;
  beforeAll(async () => {
    const mcpServers = { raw: fixture(`raw-${server}`, { ODD_TOOL: 1, MALFORMED: 1 }) };
    client = startProgram({
      config: { mode, limits: { requestBytes: 64 << 20 }, toolboxes: { box: { description: 'Box', mcpServers } } },
    });
    direct = await startServer(server);
    if (era === 'legacy') await client.legacyHandshake();
  });
  afterAll(async () => {
    assertOnlyMessages(client.lines);
    await Promise.all([client.close(), direct.close()]);
  });

  it('gets a result as the server wrote it, to the byte', async () => {
    const written = resultTextOf((await ask(direct, server, 'tools/call', { name: 'odd' })).raw);
    const read = resultTextOf((await call(client, { era, mode }, 'odd')).raw);
    expect(written).toContain('"structuredContent":{"big":9007199254740993,"one":1.0,');
    if (era === 'legacy' && server === 'legacy') expect(read).toBe(written);
    expect([...ownMembers(read)].sort()).toEqual([...ownMembers(written)].sort());
    expect(memberTexts(read).get('resultType')).toBe(era === 'modern' ? '"complete"' : undefined);
    const hop = [...memberTexts(memberTexts(read).get('_meta') ?? '').keys()].filter(isHopKey);
    expect(hop).toEqual(era === 'modern' ? ['io.modelcontextprotocol/serverInfo'] : []);
  });

  it.each([
    ['string_id', 'string id'],
    ['wrong_id_type', 'wrong id type'],
  ])('gets the result of %s, whose id has another JSON type', async (name, text) => {
    const { raw } = await call(client, { era, mode }, name);
    expect(ownMembers(resultTextOf(raw)).get('content')).toBe(`[{"type":"text","text":"${text}"}]`);
  });

  it('gets 20 MB of text, and sends as much', async () => {
    const holds = ({ raw }: RawMessage, text: string) => raw.includes(`"content":[{"type":"text","text":"${text}"}]`);
    const big = await call(client, { era, mode }, 'big', { bytes: large });
    expect(holds(big, 'x'.repeat(large))).toBe(true);
    // Characters of two bytes: some stand across the edge of what is read at once.
    const message = 'é'.repeat(large / 2);
    expect(holds(await call(client, { era, mode }, 'fail', { message }), message)).toBe(true);
  });

  it('sees the definition of a tool with everything that was in it', async () => {
    const written = named(toolsOf(await ask(direct, server, 'tools/list')), 'odd_definition') as JsonObject;
    const meta = { source_server: 'raw', toolbox_name: 'box', original_name: 'odd_definition' };
    const dynamic = {
      ...written,
      name: 'box__raw__odd_definition',
      description: `[box/raw] ${String(written.description)}`,
      _meta: { ...(written._meta as JsonObject), ...meta },
    };
    const opened = async () => {
      const { message } = await ask(client, era, 'tools/call', { name: 'open_toolbox', arguments: { toolbox: 'box' } });
      return (message.result as { structuredContent: { tools: JsonObject[] } }).structuredContent.tools;
    };
    const listed = async () => toolsOf(await ask(client, era, 'tools/list'));
    const place = { server: 'raw', toolbox: 'box' };
    // This member does not exist for clients of the stateless era, in lists of the protocol.
    const { execution: _, ...modern } = written;
    const expected: Record<Mode, JsonObject> = {
      meta: { ...written, ...place },
      dynamic: { ...dynamic, ...place },
      flat: { ...(era === 'modern' ? modern : written), name: 'raw:odd_definition' },
    };
    // A client whose list may not change calls tools by their addresses, so it is shown their own names.
    const shown = expected[mode === 'dynamic' && era === 'modern' ? 'meta' : mode];
    const seen = named(mode === 'flat' ? await listed() : await opened(), String(shown.name));
    expect(written).toMatchObject({ vendorLast: { at: 'tool' } });
    // As text, because what is under `__proto__` and the order of the members count too.
    expect(JSON.stringify(seen)).toBe(JSON.stringify(shown));
    if (mode === 'dynamic' && era === 'legacy')
      expect(JSON.stringify(named(await listed(), dynamic.name))).toBe(JSON.stringify(dynamic));
  });

  it('sees the good tools of a list with malformed ones, which are reported', async () => {
    const good = toolsOf(await ask(direct, server, 'tools/list')).map(({ name }) => name);
    await ask(client, era, 'tools/call', { name: 'open_toolbox', arguments: { toolbox: 'box' } });
    const list = toolsOf(await ask(client, era, 'tools/list')).map(({ name }) => String(name));
    if (mode === 'flat') expect(list).toEqual(good.map((name) => `raw:${name}`));
    if (mode === 'dynamic' && era === 'legacy') expect(list.slice(1)).toEqual(good.map((name) => `box__raw__${name}`));
    const reported = client.stderr.split('\n').filter((line) => line.includes('WB1015'));
    expect(reported).toHaveLength(2);
    expect(reported.join()).toContain('malformed_schema');
  });
});
