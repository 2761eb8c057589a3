import { describe, expect, it } from 'vitest';
import { failure, parse, spots } from '../support.ts';

const mcpServers = { a: { command: 'x' } };

describe('"clients" of a file', () => {
  it('says for each client what it is shown', () => {
    const cursor = { mode: 'flat', maxNameLength: 46, pinned: ['a/t'], schemas: 'portable' };
    const { clients, pinned, schemas, mode } = parse({
      mode: 'auto',
      schemas: 'original',
      pinned: ['a/u'],
      clients: { cursor, generic: { mode: 'meta' }, zed: {} },
      mcpServers,
    });
    expect([...clients]).toEqual([
      ['cursor', cursor],
      ['generic', { mode: 'meta' }],
      ['zed', {}],
    ]);
    expect({ pinned, schemas, mode }).toEqual({ pinned: ['a/u'], schemas: 'original', mode: 'auto' });
  });

  it('may hold a client of your own, by the names that it gives itself', () => {
    const { clients } = parse({ clients: { robot: { names: ['My Robot', 'robot_2'], mode: 'search' } }, mcpServers });
    expect(clients.get('robot')).toEqual({ names: ['my-robot', 'robot-2'], mode: 'search' });
  });

  it('is empty in a file without it, which keeps its mode', () => {
    const { clients, mode, schemas, pinned } = parse({ mcpServers });
    expect({ size: clients.size, mode, schemas, pinned }).toEqual({ size: 0, mode: 'flat' });
  });

  it.each([
    [{ cursr: {} }, 'client "cursr" is not known – did you mean "cursor"?'],
    [{ __proto__x: { mode: 'flat' } }, 'client "__proto__x" is not known'],
    [{ robot: { names: [] } }, 'client "robot" is not known'],
    [{ cursor: { mode: 'falt' } }, 'clients.cursor.mode must be one of'],
    [{ cursor: { maxNameLength: 8 } }, 'clients.cursor.maxNameLength must be a whole number from 16 to 128'],
    [{ cursor: { schemas: 'simple' } }, 'clients.cursor.schemas must be one of "original", "portable"'],
    [{ cursor: { pinned: 'a/t' } }, 'clients.cursor.pinned must be a list of strings, not a string'],
    [{ cursor: { mod: 'flat' } }, 'unknown key "mod" in client "cursor" – did you mean "mode"?'],
    [{ cursor: 'flat' }, 'clients.cursor must be an object, not a string'],
    [['cursor'], 'clients must be an object, not a list'],
  ])('is refused with the place when it is wrong: %j', (clients, message) => {
    const file = JSON.stringify({ clients, mcpServers }, null, 2);
    const error = failure(file);
    expect(error.message).toContain(message);
    expect(spots(error, file)).toHaveLength(1);
  });

  it('that is wrong in one place is left out there, and the rest is served', () => {
    const config = parse(
      { clients: { cursor: { mode: 'falt', schemas: 'portable' } }, mcpServers },
      { leaveOut: true },
    );
    expect(config.clients.get('cursor')).toEqual({ schemas: 'portable' });
    expect(config.servers.size).toBe(1);
  });

  it('does not win over a mode that the command line chooses, unless that is auto', () => {
    const file = { clients: { cursor: { mode: 'flat', maxNameLength: 46 } }, mcpServers };
    expect(parse(file, { mode: 'meta' }).clients.get('cursor')).toEqual({ maxNameLength: 46 });
    expect(parse(file, { mode: 'auto' }).clients.get('cursor')?.mode).toBe('flat');
  });
});
