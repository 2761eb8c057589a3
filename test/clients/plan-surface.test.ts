import { describe, expect, it } from 'vitest';
import { clientTable, genericClient } from '../../src/clients/client-table.ts';
import { findClientById } from '../../src/clients/find-client.ts';
import { type CatalogSize, planSurface, type SurfaceQuestion } from '../../src/clients/plan-surface.ts';

const small: CatalogSize = { tools: 20, tokens: () => 3_000, servers: 3, unknown: [] };
const auto = { mode: 'auto' } as const;

function plan(
  client: string,
  change: Partial<Omit<SurfaceQuestion, 'catalog'>> & { catalog?: Partial<CatalogSize> } = {},
) {
  const { catalog, ...rest } = change;
  const row = findClientById(client) ?? genericClient;
  const size = { ...small, ...catalog };
  return planSurface({ row, settings: auto, own: undefined, final: false, catalog: () => size, ...rest });
}

describe('the mode that suits a client', () => {
  it.each(['claude-code', 'codex', 'copilot-cli', 'cursor'])(
    'is flat for %s, which searches tools itself, also before any server was heard',
    (id) => {
      const planned = planSurface({
        row: findClientById(id) ?? genericClient,
        settings: auto,
        own: undefined,
        final: false,
        catalog: () => {
          throw new Error('the size does not matter');
        },
      });
      expect(planned).toMatchObject({ mode: 'flat', fitsNames: true, maxNameLength: 46, schemas: 'original' });
      expect(planned?.why).toContain('searches tools itself');
    },
  );

  it.each(clientTable.filter(({ searchesTools }) => searchesTools !== true).map(({ id }) => id))(
    'is flat for %s with a small catalog, else search',
    (id) => {
      expect(plan(id)?.mode).toBe('flat');
      expect(plan(id, { catalog: { tools: 21 } })).toMatchObject({ mode: 'search', why: '21 tools are more than 20' });
      expect(plan(id, { catalog: { tools: 3, tokens: () => 3_001 } })?.why).toBe(
        '3 tools take about 3001 tokens, which is more than 3000',
      );
    },
  );

  it('is flat for VS Code up to a hundred tools, of any size', () => {
    expect(plan('vscode', { catalog: { tools: 100, tokens: () => 1e6 } })?.mode).toBe('flat');
    expect(plan('vscode', { catalog: { tools: 101 } })?.mode).toBe('search');
  });

  it('is the same for a client that is not known as for one without a search of its own', () => {
    expect(plan('generic')?.mode).toBe('flat');
    expect(plan('generic', { catalog: { tools: 21 } })?.mode).toBe('search');
  });

  it('waits for servers that were not heard only where they can make a difference', () => {
    const catalog = { tools: 5, unknown: ['b', 'c'] };
    expect(plan('zed', { catalog })).toBeUndefined();
    expect(plan('zed', { catalog: { ...catalog, tools: 21 } })?.mode).toBe('search');
    expect(plan('zed', { catalog: { ...catalog, servers: 21 } })?.mode).toBe('search');
    expect(plan('zed', { catalog: { ...catalog, tokens: () => 3_001 } })?.mode).toBe('search');
  });

  it('is search when a server could not be heard, because its tools may be many', () => {
    expect(plan('zed', { catalog: { tools: 5, unknown: ['b', 'c'] }, final: true })).toMatchObject({
      mode: 'search',
      why: "the tools of server 'b' and 1 more are not known yet",
    });
  });
});

describe('what the configuration says', () => {
  it('wins for the client that it names', () => {
    const own = { mode: 'meta', maxNameLength: 30, schemas: 'portable', pinned: ['a/b'] } as const;
    expect(plan('cursor', { own })).toMatchObject(own);
    expect(plan('cursor', { own })?.why).toContain('cursor');
  });

  it('may ask for auto for one client only', () => {
    const settings = { mode: 'meta' } as const;
    expect(plan('cursor', { settings, own: auto })).toMatchObject({ mode: 'flat', fitsNames: true });
    expect(plan('cursor', { settings })).toMatchObject({ mode: 'meta', fitsNames: false, maxNameLength: undefined });
  });

  it('leaves names alone outside of auto, and makes them fit in it, whichever mode is chosen', () => {
    expect(plan('cursor', { settings: { mode: 'flat' } })).toMatchObject({ fitsNames: false });
    expect(plan('zed', { own: { mode: 'flat' }, catalog: { tools: 500 } })).toMatchObject({
      mode: 'flat',
      fitsNames: true,
      maxNameLength: 46,
    });
    expect(plan('zed', { settings: { mode: 'auto', maxNameLength: 60 } })).toMatchObject({ maxNameLength: 60 });
  });

  it('decides the form of schemas before the client does, which does so in auto only', () => {
    expect(plan('gemini-cli')).toMatchObject({ schemas: 'portable' });
    expect(plan('gemini-cli', { settings: { mode: 'flat' } })).toMatchObject({ schemas: 'original' });
    expect(plan('gemini-cli', { settings: { mode: 'auto', schemas: 'original' } })?.schemas).toBe('original');
    expect(plan('zed', { settings: { mode: 'flat', schemas: 'portable' } })?.schemas).toBe('portable');
    expect(
      plan('zed', { settings: { mode: 'flat', schemas: 'portable' }, own: { schemas: 'original' } })?.schemas,
    ).toBe('original');
  });

  it('pins tools for one client instead of those for all', () => {
    const settings = { mode: 'auto', pinned: ['a/b'] } as const;
    expect(plan('zed', { settings })?.pinned).toEqual(['a/b']);
    expect(plan('zed', { settings, own: { pinned: [] } })?.pinned).toEqual([]);
  });
});
