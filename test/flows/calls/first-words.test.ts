import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { startProgram } from '../../support/program.ts';
import { fixture } from '../../support/servers.ts';
import { eras, resultOf, startEra } from '../support.ts';

const config = { mcpServers: { one: fixture('raw-legacy', { OFFERS: 'resources' }) } };

describe('a client', () => {
  it('a client may ask whether anybody is there before it initializes', async () => {
    const client = startProgram({ config });
    expect((await client.request('ping')).message.result).toEqual({});
    expect((await client.request('tools/list')).message.error).toMatchObject({ code: -32600 });
    await client.legacyHandshake();
    expect((await client.request('ping')).message.result).toEqual({});
  });

  it.each(eras)(
    'a client of the %s era is told with one code in every mode that there is no such tool',
    async (era) => {
      for (const mode of ['meta', 'flat']) {
        const client = await startEra(era, { config: { ...config, mode } });
        const { error } = (await client.call('one:nothing')) as { error: JsonObject };
        expect(error.code, mode).toBe(era === 'legacy' ? -32601 : -32602);
      }
    },
  );

  it.each(eras)('a client of the %s era is given a resource without contents as it is', async (era) => {
    const client = await startEra(era, { config });
    const answer = await client.ask('resources/read', { uri: 'one+file:///empty' });
    expect(resultOf(answer).contents).toEqual([]);
  });
});
