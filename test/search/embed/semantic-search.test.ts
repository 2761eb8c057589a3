import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createLog } from '../../../src/base/text/log.ts';
import { createRedactor } from '../../../src/base/text/redact.ts';
import { type Embedder, EmbedError, toVectors } from '../../../src/search/embed/embedder.ts';
import { createHttpEmbedder } from '../../../src/search/embed/http-embedder.ts';
import { createSemanticSearch } from '../../../src/search/embed/semantic-search.ts';
import { createToolSearch, type SearchedServer } from '../../../src/search/tool-search.ts';
import { atEnd } from '../../support/at-end.ts';
import { createFakeClock, type FakeClock } from '../../support/fake-clock.ts';
import { tempDir } from '../../support/processes.ts';
import { embedText, startEmbeddingsServer } from './embeddings-server.ts';

const toServer = (key: string, tools: Record<string, string>): SearchedServer => ({
  key,
  names: [key],
  about: '',
  tools: Object.entries(tools).map(([name, description]) => ({
    name,
    shown: name,
    definition: { name, description, inputSchema: { type: 'object' } },
  })),
});

const servers = [
  toServer('garage', { rent_automobile: 'Rent one by the day.', paint_house: 'Paint a house.' }),
  toServer('sky', { get_forecast: 'Tells what the sky does.', list_stars: 'Lists stars.' }),
  toServer('post', { send_letter: 'Sends a letter.', wrap_parcel: 'Wraps a parcel.' }),
];
/** No tool has these words. */
const query = 'glimmock';

type Embed = (texts: readonly string[], signal: AbortSignal) => Promise<Float32Array[]>;

const right: Embed = async (texts) => toVectors(texts.map(embedText), texts.length);

function createFakeEmbedder(): Embedder & { embed: Embed; asked: string[][]; maxTexts: number } {
  const asked: string[][] = [];
  const embedder = {
    id: 'fake',
    maxTexts: 4,
    asked,
    embed: right,
    async close() {},
  };
  return {
    ...embedder,
    get embed(): Embed {
      return (texts, signal) => {
        asked.push([...texts]);
        return embedder.embed(texts, signal);
      };
    },
    set embed(next: Embed) {
      embedder.embed = next;
    },
  };
}

interface Opened {
  readonly embedder?: Embedder;
  readonly stateDir?: string;
  readonly clock?: FakeClock;
  readonly prefixes?: { readonly queryPrefix: string; readonly toolPrefix: string };
}

async function open({ embedder, stateDir, clock = createFakeClock(), prefixes }: Opened = {}) {
  const lines: string[] = [];
  const log = createLog({ level: 'debug', redactor: createRedactor(), write: (line) => lines.push(line) });
  const fake = createFakeEmbedder();
  const used = embedder ?? fake;
  const semantic = createSemanticSearch({ embedder: used, timeoutMs: 400, stateDir, clock, log, ...prefixes });
  atEnd(() => semantic.close());
  const search = createToolSearch();
  await search.update(servers);
  semantic.update(servers);
  const find = async (text: string) => {
    const pending = semantic.about([text], search);
    return (await pending).search(text, { limit: 5 }).hits.map(({ name }) => name);
  };
  return { semantic, search, fake, clock, lines, find };
}

describe('a search that compares meanings', () => {
  it('finds a tool that has no word of the query, once the vectors of the tools are there', async () => {
    const { find, clock } = await open();
    expect(await find(query)).toEqual([]);
    await clock.advance(1_000);
    expect((await find(query))[0]).toBe('rent_automobile');
    expect((await find('rain'))[0]).toBe('get_forecast');
  });

  it('keeps the order of the words where they explain the query', async () => {
    const { find, clock } = await open();
    const before = await find('wrap parcel');
    await clock.advance(1_000);
    expect((await find('wrap parcel'))[0]).toBe(before[0]);
  });

  it('finds only what may be found', async () => {
    const { semantic, search, clock } = await open();
    await clock.advance(1_000);
    const { hits } = (await semantic.about([query], search)).search(query, {
      limit: 5,
      accepts: (key) => key !== 'garage',
    });
    expect(hits.map(({ key }) => key)).not.toContain('garage');
  });

  it('embeds each tool once, in small requests, with the prefix of the configuration', async () => {
    const prefixes = { queryPrefix: 'query: ', toolPrefix: 'tool: ' };
    const { semantic, search, fake, clock } = await open({ prefixes });
    await clock.advance(1_000);
    expect(fake.asked.map(({ length }) => length)).toEqual([4, 2]);
    expect(fake.asked.flat()).toContain('tool: rent automobile: Rent one by the day.');
    semantic.update([...servers]);
    await clock.advance(1_000);
    expect(fake.asked).toHaveLength(2);
    await semantic.about([query, 'rain', query], search);
    await semantic.about([query], search);
    expect(fake.asked.slice(2)).toEqual([['query: glimmock', 'query: rain']]);
  });

  it('embeds only what is new when a server changes', async () => {
    const { semantic, fake, clock } = await open();
    await clock.advance(1_000);
    const changed = toServer('post', { send_letter: 'Sends a letter.', burn_letter: 'Burns it.' });
    semantic.update([...servers.slice(0, 2), changed]);
    await clock.advance(1_000);
    expect(fake.asked.slice(2)).toEqual([['burn letter: Burns it.']]);
  });

  it('goes by words as long as most tools have no vector', async () => {
    const { find, fake, clock } = await open();
    let answered = 0;
    fake.embed = (texts, signal) => (answered++ === 0 ? right(texts, signal) : new Promise(() => {}));
    await clock.advance(1_000);
    expect(await find(query)).toEqual([]);
  });
});

describe('an embedder that is slow or gone', () => {
  it('costs a search its time limit, then nothing for a while', async () => {
    const { find, fake, clock, lines } = await open();
    await clock.advance(1_000);
    const signals: AbortSignal[] = [];
    fake.embed = (_texts, signal) => {
      signals.push(signal);
      return new Promise(() => {});
    };
    const slow = find('send glimmock');
    await clock.advance(400);
    expect((await slow)[0]).toBe('send_letter');
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect((await find('send glimmock'))[0]).toBe('send_letter');
    expect(signals).toHaveLength(1);
    await clock.advance(3_000);
    fake.embed = right;
    await find('send glimmock');
    expect(fake.asked.at(-1)).toEqual(['send glimmock']);
    expect(lines.filter((line) => line.includes('"warn"'))).toHaveLength(1);
  });

  it('waits longer from one failure to the next, up to two minutes', async () => {
    const { find, fake, clock } = await open();
    await clock.advance(1_000);
    fake.embed = async () => {
      throw new EmbedError('gone', { mayPass: true });
    };
    const before = fake.asked.length;
    for (let seconds = 0; seconds < 600; seconds++) {
      await find(query);
      await clock.advance(1_000);
    }
    expect(fake.asked.length - before).toBeLessThan(12);
    expect(fake.asked.length - before).toBeGreaterThan(5);
  });

  it('is asked again for tools a few times, with pauses, and then left alone for minutes', async () => {
    const { semantic, fake, clock, lines, find } = await open();
    fake.embed = async () => {
      throw new EmbedError('busy', { mayPass: true, afterMs: 7_000 });
    };
    await clock.advance(60_000);
    expect(fake.asked).toHaveLength(4);
    expect(lines.filter((line) => line.includes('"warn"'))).toEqual([expect.stringContaining('busy')]);
    semantic.update([...servers]);
    await clock.advance(60_000);
    expect(fake.asked).toHaveLength(4);
    fake.embed = right;
    await clock.advance(300_000);
    semantic.update([...servers]);
    await clock.advance(1_000);
    expect((await find(query))[0]).toBe('rent_automobile');
  });

  it('is not asked again for tools when the failure does not pass', async () => {
    const { fake, clock } = await open();
    fake.embed = async () => {
      throw new EmbedError('status 401', { mayPass: false });
    };
    await clock.advance(60_000);
    expect(fake.asked).toHaveLength(1);
  });

  it('gets smaller requests when it refuses large ones, and a text it refuses alone is left out', async () => {
    const { fake, clock, find } = await open();
    fake.embed = async (texts, signal) => {
      if (texts.length > 1 || texts[0]?.startsWith('list stars'))
        throw new EmbedError('status 413', { mayPass: false, tooMuch: true });
      return right(texts, signal);
    };
    await clock.advance(1_000);
    fake.embed = right;
    // Five of six tools have a vector: too few to compare.
    expect(await find(query)).toEqual([]);
    expect(fake.asked.filter(({ length }) => length === 1)).toHaveLength(6);
  });

  it('drops all vectors when another model answers under the same name', async () => {
    const { semantic, fake, clock, find } = await open();
    await clock.advance(1_000);
    fake.embed = async (texts) =>
      toVectors(
        texts.map((text) => [...embedText(text), 0, 0]),
        texts.length,
      );
    expect(await find(query)).toEqual([]);
    semantic.update([...servers.slice(0, 2), toServer('post', { send_letter: 'Sends a letter.', new_one: 'New.' })]);
    await clock.advance(1_000);
    expect((await find(query))[0]).toBe('rent_automobile');
  });

  it('holds nothing back when everything is closed', async () => {
    const { semantic, fake, clock } = await open();
    fake.embed = (_texts, signal) =>
      new Promise((_done, fail) =>
        signal.addEventListener('abort', () => fail(new EmbedError('given up', { mayPass: true }))),
      );
    await clock.advance(1_000);
    await semantic.close();
    expect(fake.asked).toHaveLength(1);
  });
});

describe('vectors between runs', () => {
  const filesIn = (stateDir: string) => readdirSync(join(stateDir, 'embeddings'));
  const firstRun = async () => {
    const stateDir = join(tempDir(), 'state');
    const { semantic, clock } = await open({ stateDir });
    await clock.advance(1_000);
    await semantic.close();
    return stateDir;
  };

  it('are found by the next run, which asks for its query only', async () => {
    const stateDir = await firstRun();
    expect(filesIn(stateDir)).toEqual(['fake.bin']);
    const { find, fake, clock } = await open({ stateDir });
    await clock.advance(1_000);
    expect(fake.asked).toEqual([]);
    expect((await find(query))[0]).toBe('rent_automobile');
    expect(fake.asked).toEqual([[query]]);
  });

  it.skipIf(process.platform === 'win32')('are for the eyes of their owner', async () => {
    const stateDir = await firstRun();
    expect(statSync(join(stateDir, 'embeddings', 'fake.bin')).mode & 0o777).toBe(0o600);
  });

  it('are computed again when the file is damaged', async () => {
    const stateDir = await firstRun();
    const path = join(stateDir, 'embeddings', 'fake.bin');
    const bytes = readFileSync(path);
    for (const damaged of [
      Buffer.alloc(0),
      bytes.subarray(0, 10),
      bytes.subarray(0, -1),
      Buffer.from(bytes.map((byte, at) => (at === 40 ? byte ^ 1 : byte))),
      Buffer.from(bytes.map((byte, at) => (at === 0 ? 0 : byte))),
    ]) {
      writeFileSync(path, damaged);
      const { find, fake, clock, semantic } = await open({ stateDir });
      await clock.advance(1_000);
      expect(fake.asked).toHaveLength(2);
      expect((await find(query))[0]).toBe('rent_automobile');
      await semantic.close();
    }
  });

  it('of another process are kept', async () => {
    const stateDir = await firstRun();
    const { semantic, clock, search } = await open({ stateDir });
    await clock.advance(1_000);
    const other = [toServer('zoo', { feed_lion: 'Feeds it.' })];
    await search.update(other);
    semantic.update(other);
    await clock.advance(1_000);
    await semantic.close();
    const { fake, clock: later } = await open({ stateDir });
    await later.advance(1_000);
    expect(fake.asked).toEqual([]);
  });

  it('are not written when nothing may be kept', async () => {
    const { semantic, clock } = await open();
    await clock.advance(1_000);
    await semantic.close();
  });
});

describe('with a real service', () => {
  it('finds by meaning over HTTP', async () => {
    const server = await startEmbeddingsServer();
    const embedder = createHttpEmbedder({ url: server.url, model: 'test-model', apiKey: 'k' });
    const { find, clock } = await open({ embedder });
    await clock.advance(300);
    await expect.poll(() => server.received.length).toBe(1);
    await expect.poll(() => find(query)).toContain('rent_automobile');
    expect(server.faults).toEqual([]);
  });
});
