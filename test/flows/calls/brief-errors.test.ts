import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { fixture } from '../../support/servers.ts';
import { eras, startEra } from '../support.ts';

const long = 'x'.repeat(100_000);
const modes = ['flat', 'meta', 'dynamic'];
const mcpServers = { one: fixture('raw-legacy') };

/** What a client sends, with a name of 100,000 characters somewhere in it. */
const requests: [string, JsonObject][] = [
  ['tools/call', { name: long }],
  ['tools/call', { name: `one:${long}` }],
  ['tools/call', { name: `default__one__${long}` }],
  ['tools/call', { name: `default__${long}__echo` }],
  ['tools/call', { name: `${long}__one__echo` }],
  ['tools/call', { name: 'open_toolbox', arguments: { toolbox: long } }],
  ['tools/call', { name: 'open_toolbox', arguments: { toolbox: 'one', [long]: 1 } }],
  ['tools/call', { name: 'use_tool', arguments: { tool: { toolbox: long, server: 'one', name: 'echo' } } }],
  ['tools/call', { name: 'use_tool', arguments: { tool: { toolbox: 'one', server: long, name: 'echo' } } }],
  ['tools/call', { name: 'use_tool', arguments: { tool: { toolbox: 'one', server: 'one', name: long } } }],
  [
    'tools/call',
    { name: 'use_tool', arguments: Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`k${n}`, n])) },
  ],
  ['prompts/get', { name: `one:${long}` }],
  ['resources/read', { uri: `file:///${long}` }],
  ['completion/complete', { ref: { type: 'ref/prompt', name: long }, argument: { name: 'a', value: '' } }],
  [`tools/${long}`, {}],
];

describe.each(eras)('a client of the %s era', (era) => {
  it.each(modes)(
    'is told in at most 500 characters what is wrong with a name, however long that is: %s',
    async (mode) => {
      const client = await startEra(era, { config: { mode, mcpServers } });
      for (const [method, params] of requests) {
        const { result, error } = (await client.ask(method, params)) as { result?: JsonObject; error?: JsonObject };
        const [block] = (result?.content ?? []) as JsonObject[];
        const text = String(error?.message ?? block?.text ?? '');
        expect(
          text.length,
          `${method.slice(0, 20)} ${JSON.stringify(params).slice(0, 100)}: ${text.slice(0, 200)}`,
        ).toBeLessThanOrEqual(500);
        expect(text, method.slice(0, 20)).not.toBe('');
      }
    },
  );
});
