import { describe, expect, it } from 'vitest';
import { findNameNotes } from '../../src/cli/service/config-notes.ts';
import { clientLimits, judgeNames, longestName } from '../../src/toolbox/client-limits.ts';
import { parse } from '../config/support.ts';

const fitting = ['files__read', 'a-b_c', 'x'.repeat(longestName())];

describe('public names against the limits of clients', () => {
  it('are fine when every client takes them', () => {
    expect(judgeNames(fitting)).toEqual([]);
  });

  it.each(['Microsoft Docs__tool_0', 'io.github.upstash/context7__x', 'files:read', 'files.read', 'dateï'])(
    'are told of when they have other characters than most clients take: %s',
    (name) => {
      expect(judgeNames([...fitting, name])).toMatchObject([{ kind: 'characters', names: [name] }]);
    },
  );

  it('are told of when they are too long with what a client puts before them', () => {
    const long = 'x'.repeat(longestName() + 1);
    expect(judgeNames([...fitting, long])).toEqual([{ kind: 'length', names: [long], clients: ['Claude Code'] }]);
    const longer = 'x'.repeat(65);
    const [fault] = judgeNames([longer]);
    expect(fault?.clients).toEqual(clientLimits.filter(({ most }) => most < 100).map(({ client }) => client));
  });

  it('leave as many characters as the shortest limit does, and not less than is advised', () => {
    expect(longestName()).toBe(64 - 'mcp__workbench__'.length);
    expect(longestName()).toBeGreaterThanOrEqual(46);
  });
});

describe('what check says of names', () => {
  const mcpServers = { 'Microsoft Docs': { command: 'x' }, files: { command: 'y' } };
  const names = (separator: string) => [`Microsoft Docs${separator}tool_0`, `files${separator}read`];
  const codes = (separator: string) =>
    findNameNotes(parse({ separator, mcpServers }), names(separator)).map(({ code }) => code);

  it('is about the names, whatever the separator is', () => {
    expect(codes('__')).toEqual(['WB1703']);
    expect(codes('.')).toEqual(['WB1703']);
    const [note] = findNameNotes(parse({ separator: '__', mcpServers }), names('__'));
    expect(note?.message).toMatch(
      /^1 of 2 public names have characters that .* refuse: "Microsoft Docs__tool_0"\. Set "safeNames": true/,
    );
  });

  it('does not say twice what the note about the separator says', () => {
    const [note, ...more] = findNameNotes(parse({ mcpServers }), names(':'));
    expect(note?.message).toContain('1 of 2 public names');
    expect(note?.message).toContain('"Microsoft Docs:tool_0"');
    expect(more).toEqual([]);
    expect(findNameNotes(parse({ mcpServers }), ['files:read'])).toEqual([]);
  });

  it('is nothing when names are made safe and short', () => {
    const config = parse({ safeNames: true, maxNameLength: 46, mcpServers });
    expect(findNameNotes(config, ['Microsoft_Docs__tool_0'])).toEqual([]);
  });
});
