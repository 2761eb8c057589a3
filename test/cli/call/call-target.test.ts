import { describe, expect, it } from 'vitest';
import { findAddresses, resolveToolName } from '../../../src/cli/call/call-target.ts';
import { WorkbenchError } from '../../../src/index.ts';
import { fakeConfig, fakeEntry } from '../fake-io.ts';

const config = fakeConfig({
  code: { github: 'github', files: 'files', 'files.v2': 'files.v2', twin: 'twin-1' },
  web: { files: 'files', twin: 'twin-2' },
});

function addressesOf(target: string): string[] {
  return findAddresses(config, target).map(({ toolbox, server, name }) => `${toolbox}|${server}|${name}`);
}

describe('the target of a call', () => {
  it.each([
    ['github.search', ['code|github|search']],
    ['github.search.code', ['code|github|search.code']],
    ['github:search', ['code|github|search']],
    ['files.read', ['code|files|read', 'web|files|read']],
    ['github/search', ['code|github|search']],
    ['web/files', []],
    ['search', []],
    ['github', []],
    ['web/files/read', ['web|files|read']],
    ['web/files/read/all', ['web|files|read/all']],
    ['files.v2.read', ['code|files.v2|read', 'code|files|v2.read', 'web|files|v2.read']],
    ['web/twin/go', ['web|twin|go']],
  ])('%s can mean %j', (target, addresses) => {
    expect(addressesOf(target)).toEqual(addresses);
  });

  const entries = [
    ...['code/github/search', 'code/files/read', 'web/files/read', 'code/files.v2/read.all', 'code/github/go'],
    ...['code/twin/go', 'web/twin/go'],
  ].map((path) => fakeEntry(path));
  const resolve = (target: string) => {
    const [found] = findAddresses(config, target);
    return found ?? resolveToolName(config, entries, target);
  };

  it.each([
    ['search', 'code|github|search'],
    ['read', 'code|files|read'],
    ['read.all', 'code|files.v2|read.all'],
  ])('%s is the name of one tool: %s', (target, address) => {
    const { toolbox, server, name } = resolve(target);
    expect(`${toolbox}|${server}|${name}`).toBe(address);
  });

  it.each([
    ['github', 'WB1901', 'List them: mcp-workbench tools github'],
    ['web/files', 'WB1901', 'List them: mcp-workbench tools files'],
    ['serch', 'WB1803', 'Did you mean: github.search'],
    ['zzz', 'WB1803', 'Write server.tool or toolbox/server/tool; list them with: mcp-workbench tools'],
    ['.zzz', 'WB1803', 'Write server.tool or toolbox/server/tool; list them with: mcp-workbench tools'],
    ['githib.search', 'WB1802', 'Did you mean: github'],
    ['githib/search', 'WB1802', 'Did you mean: github'],
    ['githib', 'WB1802', 'Did you mean: github'],
    ['constructor.zzz', 'WB1802', 'There are: github, files, files.v2, twin.'],
    ['web/github/x', 'WB1802', 'There are: files, twin.'],
    ['twin.go', 'WB1901', 'Write one of: code/twin/go, web/twin/go'],
    ['go', 'WB1901', 'Write one of: code/github/go, code/twin/go, web/twin/go'],
  ])('%s is refused with %s and what to write', (target, code, fix) => {
    let error: unknown;
    try {
      resolve(target);
    } catch (caught) {
      error = caught;
    }
    expect(error).toBeInstanceOf(WorkbenchError);
    expect(error).toMatchObject({ code, fix });
  });
});
