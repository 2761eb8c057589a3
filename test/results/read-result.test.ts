import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/json/json.ts';
import { silentLog } from '../../src/base/text/log.ts';
import { readHeldResource, readResult } from '../../src/results/read-result.ts';
import { createResultStore } from '../../src/results/result-store.ts';
import { createFakeClock } from '../support/fake-clock.ts';

const client = { name: 'c', principal: 'p' };
const rows = Array.from({ length: 500 }, (_, id) => ({ id, name: `Name ${id}`, big: `9${id}0000000000000000001` }));
const json = JSON.stringify({ rows }).replace(/"big":"(\d+)"/g, '"big":$1');

function open(text: string, maxTokens = 1_000) {
  const store = createResultStore({ clock: createFakeClock(), log: silentLog, stateDir: undefined });
  const { handle = '' } = store.hold(client, { text, name: 'tool', mimeType: 'text/plain' }) ?? {};
  return {
    handle,
    async read(args: JsonObject) {
      const outcome = await readResult({ handle, ...args }, { store, client, maxTokens });
      if (!('result' in outcome)) throw new Error('an error');
      const { content, isError = false } = outcome.result.value as { content: { text: string }[]; isError?: boolean };
      return { isError, texts: content.map((block) => block.text) };
    },
    async resource(uri: string) {
      const outcome = await readHeldResource(uri, { store, client });
      if (!('result' in outcome)) return outcome;
      return (outcome.result.value.contents as JsonObject[])[0] ?? {};
    },
  };
}

describe('read_result', () => {
  it('reads from the beginning, says what it shows, and how to go on', async () => {
    const { read, handle } = open('a line\n'.repeat(5_000));
    const { texts } = await read({});
    const shown = (texts[0]?.length ?? 0) / 7;
    expect(texts[1]).toBe(
      `[These are lines 1 to ${shown}, characters 0 to ${shown * 7}, of 35000 characters in 5000 lines. Go on with read_result {"handle":"${handle}","range":"${shown + 1}-"}.]`,
    );
  });

  it('says when it has shown all, nothing, or a text that is empty', async () => {
    const { read } = open('one\ntwo');
    expect((await read({})).texts).toEqual(['one\ntwo', '[This is all of it: 7 characters in 2 lines.]']);
    expect((await read({ range: '9-12' })).texts[1]).toBe(
      '[There is nothing in this range of 7 characters in 2 lines.]',
    );
    expect((await open('').read({})).texts[1]).toContain('The text is empty.');
  });

  it('selects values by a path, which can be paged and searched like lines, and keep their spelling', async () => {
    const { read } = open(json);
    expect((await read({ path: '$.rows[-1]' })).texts[0]).toBe(
      '{"id":499,"name":"Name 499","big":94990000000000000000001}',
    );
    const names = await read({ path: 'rows[*].name', range: '3-4' });
    expect(names.texts[0]).toBe('"Name 2"\n"Name 3"\n');
    expect(names.texts[1]).toContain('500 values selected, one per line.');
    const found = await read({ path: '$.rows[*].name', grep: '99"$' });
    expect(found.texts[0]?.match(/^\d+:.*$/gm)).toEqual([
      '100:"Name 99"',
      '200:"Name 199"',
      '300:"Name 299"',
      '400:"Name 399"',
      '500:"Name 499"',
    ]);
    const all = await read({ path: '$.rows' });
    expect(all.texts[1]).toMatch(/Go on with read_result \{"handle":"\w+","path":"\$\.rows","range":"chars \d+-"\}/);
    expect((await read({ path: '$.nothing' })).texts[1]).toContain('0 values selected');
  });

  it('goes on with a search where it stopped', async () => {
    const { read } = open('an error here\nnothing\nnothing\n'.repeat(400), 300);
    const seen: string[] = [];
    for (let range: string | undefined = '1-'; range !== undefined; ) {
      const { texts } = await read({ grep: 'error', range });
      seen.push(...(texts[0]?.match(/^\d+(?=:)/gm) ?? []));
      range = /"range":"(\d+-)"/.exec(texts[1] ?? '')?.[1];
    }
    expect(seen).toEqual(Array.from({ length: 400 }, (_, index) => String(index * 3 + 1)));
  });

  it.each([
    [{ handle: null }, 'handle: Required'],
    [{ handle: 5 }, 'handle: Expected string'],
    [{ range: 'all' }, 'range: \'all\' is not a range. Write "1-200" for lines'],
    [{ range: [1, 2] }, 'range: Expected string'],
    [{ path: '$.a[?(@.b)]' }, 'is not a JSON path. Write one such as $.items[0:20].name'],
    [{ grep: '' }, 'grep: Cannot be empty'],
    [{ grep: 'x'.repeat(2_000) }, 'grep: Longer than 1000 characters'],
    [{ grep: 'x', range: 'chars 1-2' }, 'With grep, give a range of lines'],
    [{ regex: 'x' }, "Unrecognized key(s) in object: 'regex'"],
    [{ handle: 'unknown' }, "There is no result 'unknown' here (any more)"],
    [{ path: '$.a' }, 'This result is not JSON'],
  ] as [JsonObject, string][])('answers a mistake with what to write: %j', async (args, said) => {
    const { isError, texts } = await open('no JSON').read(args);
    expect([isError, texts[0]]).toEqual([true, expect.stringContaining(said)]);
  });
});

describe('a held result as a resource', () => {
  it('is given whole, or in parts that name the next one', async () => {
    const text = `${'🚀'.repeat(5_000_000)}end`;
    const { resource, handle } = open(text);
    let put = '';
    for (let uri: string | undefined = `mcp-workbench://result/${handle}`; uri !== undefined; ) {
      const part = (await resource(uri)) as { uri: string; text: string; _meta?: Record<string, string> };
      expect(part.uri).toBe(uri);
      put += part.text;
      uri = part._meta?.['dev.mcp-workbench/next'];
    }
    expect(put === text).toBe(true);
  });

  it('is not found under a URI that is not one', async () => {
    const { resource, handle } = open('text');
    for (const uri of [`mcp-workbench://result/${handle}?x=1`, 'mcp-workbench://result/', 'mcp-workbench://result/zz'])
      expect(await resource(uri)).toMatchObject({ error: { code: -32002 } });
  });
});
