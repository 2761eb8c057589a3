import { describe, expect, it } from 'vitest';
import { buildItemList, emptyListing, type Listing } from '../../src/catalog/listing.ts';
import type { ServerDefinition } from '../../src/config/config.ts';
import { parseConfigValue } from '../../src/config/parse.ts';
import { defaultLimits as limits } from '../../src/config/schema-limits.ts';
import type { Kept } from '../../src/downstream/keep-catalog.ts';
import { buildGround } from '../../src/workbench/known-ground.ts';

const { servers } = parseConfigValue(
  { mcpServers: { a: { command: 'a' }, b: { command: 'b' }, off: { command: 'c', disabled: true } } },
  { dir: '/', env: {} },
);
const [a, b, off] = [...servers.values()] as [ServerDefinition, ServerDefinition, ServerDefinition];

function list(...names: string[]): Listing {
  const entries = names.map((name) => ({ name, inputSchema: { type: 'object' } }));
  return { ...emptyListing, tools: buildItemList('tools', entries, { limits }).items };
}

const keptOf = (more: Partial<Kept> = {}): Kept => ({
  listing: list('one'),
  until: 100,
  heard: false,
  files: new Map(),
  ...more,
});
const ground = (kept: ReadonlyMap<ServerDefinition, Kept>, links: Parameters<typeof buildGround>[0]) =>
  buildGround(links, { kept: (definition) => kept.get(definition) });

describe('what the next start would know', () => {
  it('is what is known of all servers, until the first of it is not believed any more', () => {
    const kept = new Map([
      [a, keptOf({ files: new Map([['fa', '1']]) })],
      [b, keptOf({ until: 50, heard: true, files: new Map([['fb', undefined]]) })],
    ]);
    const links = [
      { definition: a, heard: false, listing: list('one') },
      { definition: b, heard: true, listing: list('one') },
      { definition: off, heard: false, listing: undefined },
    ];
    const files = new Map([
      ['fa', '1'],
      ['fb', undefined],
    ]);
    expect(ground(kept, links)).toEqual({ files, until: 50, whole: true });
  });

  it('is not whole when nothing is known of a server', () => {
    const kept = new Map([[a, keptOf({ listing: undefined })]]);
    expect(ground(kept, [{ definition: a, heard: false, listing: undefined }])).toMatchObject({ whole: false });
  });

  it.each<[string, Kept | undefined, boolean, Listing | undefined]>([
    ['something else is shown', keptOf({ heard: true }), true, list('two')],
    ['nothing is shown', keptOf(), false, undefined],
    ['something is shown that is not kept', keptOf({ listing: undefined }), false, list('one')],
    ['the server was heard, and what was kept is from before', keptOf(), true, list('one')],
    ['it is not written yet', undefined, true, list('one')],
  ])('is not what is known now when %s', (_, kept, heard, listing) => {
    expect(ground(new Map(kept === undefined ? [] : [[a, kept]]), [{ definition: a, heard, listing }])).toBeUndefined();
  });
});
