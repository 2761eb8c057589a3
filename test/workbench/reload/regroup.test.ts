import { describe, expect, it } from 'vitest';
import { planRelocation } from '../../../src/workbench/reload/regroup.ts';
import { parse } from '../../config/support.ts';

const plain = { mcpServers: { one: { command: 'x' }, 'My Docs': { command: 'y' } } };
const flat = parse(plain);
const meta = parse(plain, { mode: 'meta' });

describe('when a plain file gets another mode', () => {
  it('every place is found again under its new name, both ways', () => {
    const there = planRelocation(flat, meta);
    expect(there?.({ toolbox: 'default', server: 'My Docs' })).toEqual({ toolbox: 'My-Docs', server: 'My-Docs' });
    expect(there?.({ toolbox: 'default', server: 'gone' })).toBeUndefined();
    const back = planRelocation(meta, flat);
    expect(back?.({ toolbox: 'My-Docs', server: 'My-Docs' })).toEqual({ toolbox: 'default', server: 'My Docs' });
  });

  it('nothing moves where the mode stays, the file has toolboxes, or toolboxes are rights', () => {
    expect(planRelocation(meta, meta)).toBeUndefined();
    const withToolboxes = { toolboxes: { t: { description: 'd', mcpServers: { one: { command: 'x' } } } } };
    expect(planRelocation(parse(withToolboxes), parse(withToolboxes, { mode: 'flat' }))).toBeUndefined();
    expect(planRelocation(flat, { ...meta, auth: {} as never })).toBeUndefined();
  });
});
