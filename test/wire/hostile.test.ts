import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { startProgram } from '../support/program.ts';
import type { RawClient } from '../support/raw-client.ts';
import { fixture } from '../support/servers.ts';
import { assertOnlyMessages } from '../support/wire-check.ts';
import { hostileLines } from './hostile-lines.ts';

const modes = ['flat', 'meta', 'dynamic'] as const;

describe.each(modes)('a hostile client of mode %s', (mode) => {
  let client: RawClient;
  let pings = 0;
  beforeAll(async () => {
    client = startProgram({ config: { mode, mcpServers: { good: fixture('raw-legacy') } } });
    await client.legacyHandshake();
  });
  afterAll(async () => {
    assertOnlyMessages(client.lines);
    expect((await client.close()).code).toBe(0);
  });

  it.each(hostileLines)(
    'sends $title: it is answered once or not at all, and the next request is answered',
    async ({ line, id }) => {
      const before = client.messages.length;
      client.send(line());
      if (id !== undefined) await client.waitFor((message) => message.id === id && message.method === undefined);
      await client.request('ping', {}, { id: `ping ${++pings}` });
      const news = client.messages.slice(before).map(({ message }) => message);
      expect(news.filter(({ method }) => method === undefined).map((message) => message.id)).toEqual(
        id === undefined ? [`ping ${pings}`] : [id, `ping ${pings}`],
      );
    },
  );
});
