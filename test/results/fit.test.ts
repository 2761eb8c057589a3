// @module-tag chance
import { describe, expect, it } from 'vitest';
import { isObject, type Json, type JsonObject } from '../../src/base/json/json.ts';
import { RawJson } from '../../src/base/json/raw-json.ts';
import { silentLog } from '../../src/base/text/log.ts';
import { estimateTokens } from '../../src/base/text/token-estimate.ts';
import { fitResult } from '../../src/results/fit-result.ts';
import { readResult } from '../../src/results/read-result.ts';
import { createResultStore, type ResultText } from '../../src/results/result-store.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { type Random, randomText, withSeeds } from './chance.ts';

const client = { name: 'c', principal: 'p' };

function shorten(value: JsonObject | RawJson, { maxTokens = 1_000, keepsStructured = false, full = false } = {}) {
  const store = createResultStore({ clock: createFakeClock(), log: silentLog, stateDir: undefined });
  const held = new Map<string, string>();
  const hold = (part: ResultText) => {
    const kept = full && held.size > 0 ? undefined : store.hold(client, part);
    if (kept !== undefined) held.set(kept.handle, part.text);
    return kept;
  };
  const given = value instanceof RawJson ? value : RawJson.ofText(JSON.stringify(value), value);
  const fitted = fitResult(given, {
    ...{ maxTokens, keepsStructured, name: 'tool', hold },
    drop(handle) {
      held.delete(handle);
      store.drop(handle);
    },
  });
  const read = (args: JsonObject, tokens = maxTokens) => readResult(args, { store, client, maxTokens: tokens });
  return { given, fitted, held, read, result: fitted.value, content: fitted.value.content as JsonObject[] };
}

const text = (...lines: string[]): JsonObject => ({ type: 'text', text: lines.join('\n') });
const long = (words: number) => Array.from({ length: words }, (_, index) => `word${index}`).join(' ');
const records = (count: number) =>
  Array.from({ length: count }, (_, id) => ({ id, name: `Name ${id}`, tags: ['a', 'b'] }));

describe('a result', () => {
  it('that fits is the same object', () => {
    const { given, fitted } = shorten({ content: [text(long(100))], isError: false });
    expect(fitted === given).toBe(true);
  });

  it('of one long text becomes its beginning and end, how much there is, and a link', async () => {
    const lines = Array.from({ length: 5_000 }, (_, index) => `this is line ${index + 1}`);
    const { content, held, read } = shorten({ content: [text(...lines)] });
    const [handle, kept] = [...held][0] ?? [];
    expect(kept).toBe(lines.join('\n'));
    const shown = String(content[0]?.text);
    expect(shown).toMatch(/^\[This text of the result is too long to show: \d+ characters in 5000 lines\./);
    expect(shown).toContain(`read_result {"handle":"${handle}","range":"`);
    expect(shown).toContain('\nthis is line 1\n');
    expect(shown.endsWith('\nthis is line 5000')).toBe(true);
    expect(content[1]).toEqual({
      ...{ type: 'resource_link', uri: `mcp-workbench://result/${handle}`, name: 'tool', title: 'The whole text' },
      ...{ mimeType: 'text/plain', size: lines.join('\n').length },
    });
    // What was left out is exactly what the preview says.
    const range = /"range":"(\d+)-(\d+)"/.exec(shown) ?? [];
    const left = await read({ handle: handle ?? '', range: `${range[1]}-${range[2]}` }, 1_000_000);
    const [block] = ('result' in left ? left.result.value.content : []) as JsonObject[];
    const [before, after] = shown.split(/\[… lines \d+ to \d+ left out …\]\n/);
    expect(before?.slice(before.indexOf('\n') + 1) + String(block?.text) + after).toBe(kept);
  });

  it('of long JSON becomes its shape and first entries', () => {
    const { content } = shorten({
      content: [{ type: 'text', text: JSON.stringify({ total: 2_000, items: records(2_000) }) }],
    });
    const shown = String(content[0]?.text);
    expect(shown).toContain('Shape: {total: number, items: [2000 × {id: number, name: string, tags: [2 × string]}]}');
    expect(shown).toContain('"name": "Name 0"');
    expect(shown).toMatch(/… \d+ entries more/);
    expect(content[1]?.mimeType).toBe('application/json');
  });

  it('with structured content that repeats its text is held once, and loses the structured content', () => {
    const value = { items: records(2_000) };
    const { result, held } = shorten({
      content: [{ type: 'text', text: JSON.stringify(value) }],
      structuredContent: value,
    });
    expect([...held.values()]).toEqual([JSON.stringify(value)]);
    expect(Object.keys(result)).toEqual(['content']);
  });

  it('with structured content beside a short text keeps the text and holds the rest', () => {
    const value = { items: records(2_000) };
    const { content, held } = shorten({ content: [text('2,000 found')], structuredContent: value });
    expect(content[0]).toEqual(text('2,000 found'));
    expect(String(content[1]?.text)).toMatch(/^\[The structured content of this result is too long/);
    expect([...held.values()]).toEqual([JSON.stringify(value)]);
  });

  it('whose structured content a client checks keeps it whole, and may lose text', () => {
    const value = { items: records(2_000) };
    const { result, held } = shorten(
      { content: [{ type: 'text', text: JSON.stringify(value) }], structuredContent: value },
      { keepsStructured: true },
    );
    expect(result.structuredContent).toEqual(value);
    expect(held.size).toBe(1);
    const alone = shorten({ content: [text('short')], structuredContent: value }, { keepsStructured: true });
    expect(alone.fitted === alone.given).toBe(true);
  });

  it('keeps images, audio, links, errors, metadata and members that are not known, byte for byte', () => {
    const image = { type: 'image', data: 'A'.repeat(100_000), mimeType: 'image/png' };
    const link = '{"type":"resource_link", "uri":"a:b","name":"b","size":1.0}';
    const blob = { type: 'resource', resource: { uri: 'a:c', blob: 'B'.repeat(100_000) } };
    const others = '"isError":true,"_meta":{"n":12345678901234567890},"later":{"x":1.0}';
    const json = `{"content":[${[JSON.stringify(image), link, JSON.stringify(blob)].join()},{"type":"text","annotations":{"priority":1.0},"text":${JSON.stringify(long(5_000))}}],${others}}`;
    const { fitted, content } = shorten(RawJson.ofText(json, JSON.parse(json) as JsonObject));
    expect(content.slice(0, 3)).toEqual([image, JSON.parse(link), blob]);
    expect(content[3]?.annotations).toEqual({ priority: 1 });
    expect(fitted.text).toContain(others);
    expect(fitted.text.startsWith(`{"content":[${JSON.stringify(image)},${link},`)).toBe(true);
    expect(JSON.parse(fitted.text)).toEqual(fitted.value);
  });

  it('with images only is not touched, however large they are', () => {
    const { given, fitted } = shorten({
      content: [{ type: 'image', data: 'A'.repeat(1_000_000), mimeType: 'image/png' }],
    });
    expect(fitted === given).toBe(true);
  });

  it('with a long embedded resource becomes a text, and a link with what was known of the resource', () => {
    const resource = { uri: 'file:///a.txt', mimeType: 'text/x-log', text: long(5_000), _meta: { a: 1 } };
    const { content } = shorten({ content: [{ type: 'resource', resource, annotations: { audience: ['user'] } }] });
    expect(content[0]).toMatchObject({ type: 'text', annotations: { audience: ['user'] } });
    expect(content[0]).not.toHaveProperty('resource');
    expect(String(content[0]?.text)).toMatch(/^\[The resource file:\/\/\/a\.txt is too long/);
    expect(content[1]).toMatchObject({
      type: 'resource_link',
      name: 'file:///a.txt',
      mimeType: 'text/x-log',
      _meta: { a: 1 },
    });
  });

  it('that cannot be held stays whole, and nothing of it is held', () => {
    const { given, fitted, held } = shorten(
      { content: [text(long(5_000)), text(long(6_000))] },
      { maxTokens: 4_000, full: true },
    );
    expect(fitted === given).toBe(true);
    expect(held.size).toBe(0);
  });

  it('loses nothing: everything is in the answer or can be read, for any result', () =>
    withSeeds(400, async (random) => {
      const given = randomResult(random);
      const maxTokens = 200 + random.int(800);
      const { fitted, given: before, held, read } = shorten(given, { maxTokens });
      if (fitted === before) return;
      const readable: string[] = [];
      for (const handle of held.keys()) readable.push(await readAll(read, handle));
      expect(readable).toEqual([...held.values()]);
      const answer = JSON.stringify(fitted.value);
      const together = readable.flatMap((each) => (each.startsWith('[{') ? [each] : []));
      for (const block of given.content as JsonObject[]) {
        const own = findText(block);
        const whole =
          answer.includes(JSON.stringify(block)) || together.some((each) => each.includes(JSON.stringify(block)));
        expect(whole || (own !== undefined && readable.includes(own)), JSON.stringify(block).slice(0, 200)).toBe(true);
      }
      const { structuredContent } = given;
      if (structuredContent !== undefined && fitted.value.structuredContent === undefined) {
        const wanted = JSON.stringify(structuredContent);
        // A text that says the same was found above.
        const same = (given.content as JsonObject[]).some((block) => toCompact(findText(block) ?? '') === wanted);
        expect(same || readable.some((each) => each.includes(wanted))).toBe(true);
      }
      const texts = (fitted.value.content as JsonObject[]).flatMap((block) => findText(block) ?? []);
      const size = texts.reduce((sum, each) => sum + estimateTokens(each), 0);
      expect(size).toBeLessThanOrEqual(Math.max(maxTokens, 400) * 1.6);
    }));
});

function findText(block: JsonObject): string | undefined {
  const { text: own, resource } = block;
  if (typeof own === 'string') return own;
  return isObject(resource) && typeof resource.text === 'string' ? resource.text : undefined;
}

function toCompact(json: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(json));
  } catch {
    return undefined;
  }
}

async function readAll(read: (args: JsonObject) => ReturnType<typeof readResult>, handle: string): Promise<string> {
  let all = '';
  for (let range: Json | undefined = '1-'; typeof range === 'string'; ) {
    const page = await read({ handle, range });
    if (!('result' in page)) throw new Error('an error');
    const [block] = page.result.value.content as JsonObject[];
    all += String(block?.text);
    const meta = page.result.value._meta as JsonObject;
    range = (meta['dev.mcp-workbench/range'] as JsonObject).next;
  }
  return all;
}

function randomResult(random: Random): JsonObject {
  const structured = random.oneIn(3) ? { items: records(random.int(200)) } : undefined;
  const block = (): JsonObject => {
    const kind = random.int(8);
    if (kind === 0) return { type: 'image', data: 'A'.repeat(random.int(1_000)), mimeType: 'image/png' };
    if (kind === 1)
      return { type: 'resource', resource: { uri: `file:///${random.int(9)}`, text: randomText(random) } };
    if (kind === 2)
      return { type: 'text', text: JSON.stringify(structured ?? records(random.int(100)), null, random.int(3)) };
    return {
      type: 'text',
      text: randomText(random, random.pick([5, 50, 800])),
      ...(random.oneIn(3) ? { annotations: { priority: 0.5 } } : {}),
    };
  };
  const content = Array.from({ length: random.int(random.oneIn(5) ? 60 : 5) }, block);
  return {
    content,
    ...(structured && { structuredContent: structured }),
    ...(random.oneIn(4) ? { isError: true } : {}),
  };
}
