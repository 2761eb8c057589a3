import { describe, expect, it } from 'vitest';
import { buildPagedList } from '../../../src/front/lists/paged-list.ts';

describe('a paged list', () => {
  const tools = Array.from({ length: 10 }, (_, index) => ({ name: `t${index}` }));
  const follow = (size: number) => {
    const list = buildPagedList('tools', tools, size);
    const names: unknown[] = [];
    let cursor: string | undefined;
    let pages = 0;
    do {
      const page = list.findPage(cursor);
      const tools = page?.value.tools as { name: string }[];
      names.push(...tools.map(({ name }) => name));
      cursor = page?.value.nextCursor as string | undefined;
      pages++;
    } while (cursor !== undefined);
    return { names, pages };
  };

  it.each([
    [1, 10],
    [3, 4],
    [5, 2],
    [10, 1],
    [1000, 1],
  ])('a paged list in pages of %d is complete after %d pages', (size, pages) => {
    expect(follow(size)).toEqual({ names: tools.map(({ name }) => name), pages });
  });

  it('a paged list does not know the cursors of another list', () => {
    const cursor = buildPagedList('tools', tools, 3).findPage(undefined)?.value.nextCursor as string;
    expect(buildPagedList('tools', tools.slice(1), 3).findPage(cursor)).toBeUndefined();
    expect(buildPagedList('tools', tools, 3).findPage(cursor)).toBeDefined();
    for (const other of ['', 'x', '0']) expect(buildPagedList('tools', tools, 3).findPage(other)).toBeUndefined();
  });

  it('a paged list of nothing is one empty page', () => {
    expect(buildPagedList('tools', [], 5).findPage(undefined)?.text).toBe('{"tools":[]}');
  });
});
