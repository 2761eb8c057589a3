// @module-tag large
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { fixture } from '../../support/servers.ts';
import { assertOnlyMessages } from '../../support/wire-check.ts';
import { combinations, type EraClient, errorOf, resultOf, startEra } from '../support.ts';

const argument = { name: 'who', value: 'A' };
const context = { arguments: { other: 'x' } };
const complete = (client: EraClient, name: string, more: JsonObject = {}) =>
  client.ask('completion/complete', { ref: { type: 'ref/prompt', name }, argument, ...more });
const completionOf = (answer: JsonObject) => resultOf(answer).completion as { values: string[]; hasMore?: boolean };

describe.each(combinations)('completion for a %s client in front of a %s server', (clientEra, serverEra) => {
  const offering = (offers: string, options = {}) => fixture(`raw-${serverEra}`, { OFFERS: offers, ...options });
  const start = async (options = {}) => {
    const server = offering('prompts,completions', options);
    const without = offering('prompts');
    const client = await startEra(clientEra, { config: { mcpServers: { server, without } } });
    return client;
  };
  const finish = async (client: EraClient) => {
    expect((await client.close()).code).toBe(0);
    assertOnlyMessages(client.lines);
  };

  it('reaches the server with its own name for the prompt, and with the context', async () => {
    const client = await start();
    const { values } = completionOf(await complete(client, 'server:greet', { context }));
    expect(values.map((value) => JSON.parse(value))).toEqual([
      { ref: { type: 'ref/prompt', name: 'greet' }, argument, context },
    ]);
    await finish(client);
  });

  it('gives nothing, and no error, for a server without it', async () => {
    const client = await start();
    expect(completionOf(await complete(client, 'without:greet'))).toEqual({ values: [] });
    await finish(client);
  });

  it('gives at most 100 values and says that there are more', async () => {
    const client = await start();
    const answer = completionOf(await complete(client, 'server:greet', { argument: { name: 'who', value: 'many' } }));
    expect(answer).toMatchObject({ total: 150, hasMore: true, vendor: true });
    expect(answer.values).toHaveLength(100);
    await finish(client);
  });

  it('says what is wrong with the question', async () => {
    const client = await start();
    expect(errorOf(await complete(client, 'server:gret'))).toMatchObject({
      code: -32602,
      message: expect.stringContaining('server:greet'),
    });
    const wrong: JsonObject[] = [
      { ref: 'x' },
      { ref: { type: 'ref/other' } },
      { ref: { type: 'ref/prompt', name: 1 } },
      { argument: 1 },
    ];
    for (const more of wrong) expect(errorOf(await complete(client, 'server:greet', more)).code).toBe(-32602);
    await finish(client);
  });
});

describe('completion for servers of old revisions', () => {
  it.each([
    ['2024-11-05', false],
    ['2025-03-26', false],
    ['2025-06-18', true],
  ])(
    'completion for servers of old revisions in front of one of %s passes the context on: %s',
    async (version, passed) => {
      const server = fixture('raw-legacy', { OFFERS: 'prompts,completions', ANSWER_VERSION: version });
      const client = await startEra('legacy', { config: { mcpServers: { server } } });
      const [value = ''] = completionOf(await complete(client, 'server:greet', { context })).values;
      expect(Object.hasOwn(JSON.parse(value) as JsonObject, 'context')).toBe(passed);
      await client.close();
    },
  );
});
