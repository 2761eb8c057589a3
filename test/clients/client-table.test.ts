import { describe, expect, it } from 'vitest';
import { alwaysShownMeta, clientTable, genericClient, smallCatalog } from '../../src/clients/client-table.ts';
import { findClientById, findClientByName, normalizeClientName } from '../../src/clients/find-client.ts';
import { defaultFittedLength } from '../../src/clients/plan-surface.ts';

describe('the table of clients', () => {
  it('has every client once, under a plain id, and knows each name of one client only', () => {
    const ids = [...clientTable, genericClient].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z][a-z-]*$/);
    const names = clientTable.flatMap((row) => row.names.is);
    expect(new Set(names).size).toBe(names.length);
    for (const { id, names: own } of clientTable) {
      for (const name of [...own.is, ...(own.begins ?? [])]) expect(normalizeClientName(name)).toBe(name);
      for (const name of own.is) expect(findClientByName(name)?.id).toBe(id);
      for (const beginning of own.begins ?? []) expect(findClientByName(`${beginning}x`)?.id).toBe(id);
    }
  });

  it('leaves room for the names of mode auto in every client with a known limit', () => {
    const limited = clientTable.filter(({ nameLimit }) => nameLimit !== undefined);
    expect(limited.length).toBeGreaterThan(5);
    for (const { nameLimit } of limited)
      expect((nameLimit?.most ?? 0) - (nameLimit?.prefix.length ?? 0)).toBeGreaterThanOrEqual(defaultFittedLength);
  });

  it('shows no client more tools than it takes, and a large catalog only to clients that search', () => {
    for (const { searchesTools, showsUpTo, maxTools } of clientTable) {
      if (maxTools !== undefined) expect(showsUpTo.tools).toBeLessThanOrEqual(maxTools);
      if (searchesTools !== true) expect(showsUpTo).toBe(smallCatalog);
    }
  });

  it('knows the mark that keeps a tool in sight of a client that hides tools', () => {
    expect(alwaysShownMeta).toEqual({ 'anthropic/alwaysLoad': true });
  });
});

describe('the name of a client', () => {
  it.each([
    ['claude-code', 'claude-code'],
    ['claude-ai', 'claude-desktop'],
    ['cursor-vscode', 'cursor'],
    ['Visual Studio Code', 'vscode'],
    ['Visual-Studio-Code', 'vscode'],
    ['Visual Studio Code - Insiders', 'vscode'],
    ['codex-mcp-client', 'codex'],
    ['gemini-cli-mcp-client', 'gemini-cli'],
    ['gemini-cli-mcp-client-workbench', 'gemini-cli'],
    ['github-copilot-developer', 'copilot-cli'],
    ['JetBrains-IU-copilot-intellij', 'jetbrains'],
    ['Q DEV CLI', 'kiro'],
    ['LM Studio', 'lmstudio'],
    ['Kilo-Code', 'kilo'],
    ['claude-ai (via mcp-remote 0.1.37)', 'claude-desktop'],
    ['  ZED ', 'zed'],
  ])('%s is that of %s', (name, id) => {
    expect(findClientByName(name)?.id).toBe(id);
  });

  it.each(['', ' ', 'my-agent', 'claude', 'cursed', 'zedd', `cursor${'r'.repeat(10_000)}`, '__proto__', 'constructor'])(
    'is not known when it only resembles one: %.20s',
    (name) => {
      expect(findClientByName(name)).toBeUndefined();
      expect(findClientById(name)).toBeUndefined();
    },
  );
});
