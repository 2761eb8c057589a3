import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { startEmbeddingsServer } from '../../search/embed/embeddings-server.ts';
import { eventually } from '../../support/eventually.ts';
import { tempDir } from '../../support/processes.ts';
import { fixture } from '../../support/servers.ts';
import { type EraClient, eras, resultOf, startEra } from '../support.ts';

const toConfig = (embeddings: JsonObject) => ({
  mode: 'search',
  mcpServers: { old: fixture('raw-legacy') },
  search: { embeddings },
});

async function firstOf(client: EraClient, query: string): Promise<unknown> {
  const { structuredContent } = resultOf(await client.call('search_tools', { queries: [query] }));
  const { results } = structuredContent as unknown as { results: { matches: JsonObject[] }[] };
  return results[0]?.matches[0]?.name;
}

/** No tool has this word; the embedders below say that it means echo. */
const query = 'zindle';

describe('a search by meaning, with the built program', () => {
  it.each(eras)('asks the service of the configuration, and its key goes nowhere else (%s)', async (era) => {
    const server = await startEmbeddingsServer();
    const config = toConfig({ url: server.url, model: 'test-model', apiKey: '${EMBED_KEY}', timeoutMs: 10_000 });
    const client = await startEra(era, { config, env: { EMBED_KEY: 'key-of-the-service' } });
    await eventually(async () => (await firstOf(client, query)) === 'echo', 20_000);
    expect(server.faults).toEqual([]);
    expect(new Set(server.received.map(({ authorization }) => authorization))).toEqual(
      new Set(['Bearer key-of-the-service']),
    );
    await server.close();
    expect(await firstOf(client, 'echo')).toBe('echo');
    expect((await client.close()).code).toBe(0);
    expect(client.stderr).not.toContain('key-of-the-service');
  });

  it('asks a module of this machine in a thread, and what the module prints stays there', async () => {
    const path = join(tempDir(), 'embed.mjs');
    writeFileSync(
      path,
      `console.log('not for the protocol');
      export const embed = async (texts) => texts.map((text) => [/echo|zindle/i.test(text) ? 1 : 0, 0.1]);`,
    );
    const client = await startEra('legacy', { config: toConfig({ package: path, timeoutMs: 10_000 }) });
    await eventually(async () => (await firstOf(client, query)) === 'echo', 20_000);
    expect((await client.close()).code).toBe(0);
  });

  it('goes by words when the package is not installed, and says so once', async () => {
    const client = await startEra('legacy', { config: toConfig({ package: '@energetic-ai/not-here' }) });
    expect(await firstOf(client, 'echo')).toBe('echo');
    await eventually(() => client.stderr.includes('npm install @energetic-ai/not-here'), 20_000);
    expect(await firstOf(client, 'echo')).toBe('echo');
    expect((await client.close()).code).toBe(0);
  });
});
