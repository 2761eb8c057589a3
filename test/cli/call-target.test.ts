import { describe, expect, it } from 'vitest';
import { resolveTarget } from '../../src/cli/call-target.ts';
import { WorkbenchError } from '../../src/index.ts';
import { fakeConfig } from './fake-io.ts';

const config = fakeConfig({
  code: { github: 'github', files: 'files', 'files.v2': 'files.v2', twin: 'twin-1' },
  web: { files: 'files', twin: 'twin-2' },
});

function addressesOf(target: string): string[] {
  return resolveTarget(config, target).map(({ toolbox, server, name }) => `${toolbox}|${server}|${name}`);
}

describe('the target of a call', () => {
  it.each([
    ['github.search', ['code|github|search']],
    ['github.search.code', ['code|github|search.code']],
    ['github:search', ['code|github|search']],
    ['files.read', ['code|files|read', 'web|files|read']],
    ['web/files/read', ['web|files|read']],
    ['web/files/read/all', ['web|files|read/all']],
    ['files.v2.read', ['code|files.v2|read', 'code|files|v2.read', 'web|files|v2.read']],
    ['web/twin/go', ['web|twin|go']],
  ])('%s can mean %j', (target, addresses) => {
    expect(addressesOf(target)).toEqual(addresses);
  });

  it.each([
    ['github', 'WB1901', 'List them: mcp-workbench tools github'],
    ['search', 'WB1901', 'Write server.tool or toolbox/server/tool; list them with: mcp-workbench tools'],
    ['.search', 'WB1901', 'Write server.tool or toolbox/server/tool; list them with: mcp-workbench tools'],
    ['githib.search', 'WB1802', 'Did you mean: github'],
    ['constructor.search', 'WB1802', 'There are: github, files, files.v2, twin.'],
    ['web/github/x', 'WB1802', 'There are: files, twin.'],
    ['twin.go', 'WB1901', 'Write one of: code/twin/go, web/twin/go'],
  ])('%s is refused with %s and what to write', (target, code, fix) => {
    let error: unknown;
    try {
      addressesOf(target);
    } catch (caught) {
      error = caught;
    }
    expect(error).toBeInstanceOf(WorkbenchError);
    expect(error).toMatchObject({ code, fix });
  });
});
