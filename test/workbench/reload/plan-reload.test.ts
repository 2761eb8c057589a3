import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { parseConfigValue } from '../../../src/config/read/parse.ts';
import { planReload } from '../../../src/workbench/reload/plan-reload.ts';
import { toReload, withFixedSettings } from '../../../src/workbench/reload/reload.ts';

const parse = (file: JsonObject, env: Record<string, string> = {}) => parseConfigValue(file, { dir: '/', env });
const server = (...args: string[]): JsonObject => ({ command: 'x', args });
const servers = (mcpServers: JsonObject, more: JsonObject = {}): JsonObject => ({ mcpServers, ...more });
const box = (mcpServers: JsonObject): JsonObject => ({ description: 'Box', mcpServers });

const ab = servers({ a: server('1'), b: server('2') });

describe('a reload', () => {
  it.each<[string, JsonObject, JsonObject, Partial<ReturnType<typeof toReload>>]>([
    ['of the same file changes nothing', ab, ab, { kept: ['a', 'b'], same: true }],
    [
      'adds a server',
      ab,
      servers({ a: server('1'), b: server('2'), c: server('3') }),
      { kept: ['a', 'b'], added: ['c'], settings: ['toolboxes'] },
    ],
    ['removes a server', ab, servers({ b: server('2') }), { kept: ['b'], removed: ['a'], settings: ['toolboxes'] }],
    [
      'replaces a server that is started in another way',
      ab,
      servers({ a: server('9'), b: server('2') }),
      { kept: ['b'], replaced: ['a'] },
    ],
    [
      'replaces a server that gets another timeout',
      ab,
      servers({ a: { ...server('1'), timeoutMs: 5 }, b: server('2') }),
      { kept: ['b'], replaced: ['a'] },
    ],
    [
      'replaces a server that is disabled',
      ab,
      servers({ a: { ...server('1'), disabled: true }, b: server('2') }),
      { kept: ['b'], replaced: ['a'] },
    ],
    [
      'takes a server under another name for another server',
      ab,
      servers({ c: server('1'), b: server('2') }),
      { kept: ['b'], added: ['c'], removed: ['a'], settings: ['toolboxes'] },
    ],
    [
      'keeps a server whose variables stand in another order',
      servers({ a: { command: 'x', env: { ONE: '1', TWO: '2' } } }),
      servers({ a: { command: 'x', env: { TWO: '2', ONE: '1' } } }),
      { kept: ['a'], same: true },
    ],
    [
      'keeps servers that stand in another order, and shows them so',
      ab,
      servers({ b: server('2'), a: server('1') }),
      { kept: ['b', 'a'], settings: ['toolboxes'] },
    ],
    [
      'keeps a server that moves into a toolbox',
      ab,
      { mcpServers: { a: server('1') }, mode: 'flat', toolboxes: { t: box({ b: server('2') }) } },
      { kept: ['b', 'a'], settings: ['toolboxes'] },
    ],
    [
      'keeps the second of two servers of one name when the first goes',
      { toolboxes: { s: box({ a: server('1') }), t: box({ a: server('2') }) } },
      { toolboxes: { s: box({ b: server('3') }), t: box({ a: server('2') }) } },
      { kept: ['a'], added: ['b'], removed: ['a'], settings: ['toolboxes'] },
    ],
    [
      'puts settings in force',
      ab,
      { ...ab, mode: 'dynamic', separator: '__', pageSize: 7, startWaitMs: 9 },
      { kept: ['a', 'b'], settings: ['mode', 'separator', 'startWaitMs', 'pageSize'] },
    ],
    [
      'leaves for the next start what a running service cannot change',
      ab,
      { ...ab, http: { port: 4000 }, limits: { callsPerServer: 3 }, keepCatalog: false },
      { kept: ['a', 'b'], later: ['keepCatalog', 'http', 'limits'] },
    ],
  ])('%s', (_title, before, after, expected) => {
    const nothing = {
      kept: [],
      added: [],
      replaced: [],
      removed: [],
      leftOut: [],
      settings: [],
      later: [],
      same: false,
    };
    expect(toReload(planReload(parse(before), parse(after)))).toEqual({ ...nothing, ...expected });
  });

  it('a reload tells which old link serves a server under its new key', () => {
    const plan = planReload(
      parse({ toolboxes: { s: box({ a: server('1') }), t: box({ a: server('2') }) } }),
      parse({ toolboxes: { t: box({ a: server('2') }) } }),
    );
    expect([...plan.keep]).toEqual([['a', expect.stringMatching(/^a#/)]]);
    expect(plan.stop).toEqual(['a']);
  });

  it('a reload replaces a server when the value of a variable it uses has changed', () => {
    const file = servers({ a: { command: 'x', env: { KEY: '${SECRET}' } } });
    const plan = planReload(parse(file, { SECRET: 'old-value' }), parse(file, { SECRET: 'new-value' }));
    expect([plan.start, plan.stop]).toEqual([['a'], ['a']]);
  });

  it('a reload keeps in force what a running service cannot change', () => {
    const before = parse(ab);
    const after = withFixedSettings(
      parse({ ...ab, mode: 'meta', http: { port: 4000 }, limits: { callsPerServer: 3 }, keepCatalog: false }),
      before,
    );
    expect([after.mode, after.http, after.limits, after.keepCatalog, 'auth' in after]).toEqual([
      'meta',
      before.http,
      before.limits,
      true,
      false,
    ]);
  });
});
