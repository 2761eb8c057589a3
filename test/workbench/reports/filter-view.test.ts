import { describe, expect, it } from 'vitest';
import type { Log } from '../../../src/base/text/log.ts';
import { buildItemList, emptyListing, withHeard } from '../../../src/catalog/listing.ts';
import { defaultLimits } from '../../../src/config/model/schema-limits.ts';
import { createFilterView } from '../../../src/workbench/reports/filter-view.ts';
import { toServerStatus } from '../../../src/workbench/reports/server-status.ts';
import { buildSnapshot } from '../../../src/workbench/view/snapshot.ts';
import { parse } from '../../config/support.ts';

const tools = ['read_file', 'write_file', 'list'].map((name) => ({ name, inputSchema: { type: 'object' } }));
const listing = withHeard(emptyListing, new Map([['tools', buildItemList('tools', tools, { limits: defaultLimits })]]));

function view(toolFilters: string[], heard = true) {
  const config = parse({ mcpServers: { files: { command: 'x', toolFilters }, 'My Docs': { command: 'y' } } });
  const snapshot = buildSnapshot(config, heard ? new Map([['files', listing]]) : new Map());
  const warnings: string[] = [];
  const log = { warn: (text: string) => warnings.push(text) } as unknown as Log;
  return { config, warnings, ...createFilterView(() => snapshot, log) };
}

describe('a filter that matches nothing', () => {
  it('a filter that matches nothing is told with the nearest names, once the server was heard', () => {
    expect(view(['raed_file', 'list']).idle()).toEqual([
      "The filter 'raed_file' of server 'files' (toolbox 'default') matches none of its 3 tools. Did you mean: 'read_file'?",
    ]);
    expect(view(['raed_file'], false).idle()).toEqual([]);
  });

  it('a filter that matches nothing is told too when it leaves out: what it was to hide is shown', () => {
    expect(view(['*', '!wirte_file']).idle()[0]).toContain("Did you mean: 'write_file'?");
  });

  it('a filter that matches nothing is warned of once, however often the list comes', () => {
    const { heard, warnings } = view(['raed_file']);
    for (const key of ['files', 'files', 'My Docs']) heard(key);
    expect(warnings).toHaveLength(1);
  });
});

describe('a tool that filters leave out', () => {
  it('a tool that filters leave out is told from one that does not exist', () => {
    const { leftOut } = view(['read_file']);
    expect(leftOut()).toContainEqual({ toolbox: 'default', server: 'files', name: 'write_file' });
    expect(leftOut().map(({ name }) => name)).not.toContain('read_file');
  });
});

describe('the status of a server', () => {
  const statusOf = (toolFilters: string[], more = {}) => {
    const { config } = view(toolFilters);
    const link = { status: { state: 'ready', notes: [] }, listing } as never;
    return toServerStatus(config.servers.get('files')!, link, { ...config, ...more });
  };

  it('the status of a server counts the tools it listed, and those of them that clients see', () => {
    expect(statusOf(['read_file'])).toMatchObject({ tools: 3, toolsShown: 1 });
    expect(statusOf(['*'])).toMatchObject({ tools: 3, toolsShown: 3 });
    expect(statusOf(['nothing'])).toMatchObject({ tools: 3, toolsShown: 0 });
  });

  it('the status of a server has what the server is called in its toolboxes only where that is not its name', () => {
    const config = parse({ mode: 'meta', mcpServers: { 'My Docs': { command: 'y' }, files: { command: 'x' } } });
    const link = { status: { state: 'configured', notes: [] }, listing: undefined } as never;
    expect(toServerStatus(config.servers.get('My Docs')!, link, config)).toMatchObject({ label: 'My-Docs' });
    expect(toServerStatus(config.servers.get('files')!, link, config)).not.toHaveProperty('label');
  });
});
