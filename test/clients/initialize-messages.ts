/**
 * The parameters with which real clients begin: names and versions as their sources, recorded handshakes or public registries show
 * them. Those that are only assumed are marked in the table of clients.
 */
import type { JsonObject } from '../../src/base/json/json.ts';

export interface RealClient {
  readonly id: string;
  /** What it is shown of a small catalog, of one of 60 tools, and of one of 130. */
  readonly shown: readonly ['flat' | 'search', 'flat' | 'search', 'flat' | 'search'];
  readonly initialize: JsonObject;
}

const always = ['flat', 'flat', 'flat'] as const;
const whileSmall = ['flat', 'search', 'search'] as const;
const asks = { elicitation: {} };
const asksBoth = { elicitation: { form: {}, url: {} } };
const hasRoots = { roots: { listChanged: true } };

function client(
  id: string,
  shown: RealClient['shown'],
  [name, version, protocolVersion]: readonly [string, string, string],
  capabilities: JsonObject = {},
  more: JsonObject = {},
): RealClient {
  return { id, shown, initialize: { protocolVersion, capabilities, clientInfo: { name, version, ...more } } };
}

export const realClients: readonly RealClient[] = [
  client(
    'claude-code',
    always,
    ['claude-code', '2.1.278', '2025-11-25'],
    { ...hasRoots, ...asksBoth },
    { title: 'Claude Code' },
  ),
  client('claude-desktop', whileSmall, ['claude-ai', '0.1.0', '2025-11-25']),
  client('cursor', always, ['cursor-vscode', '1.0.0', '2025-06-18'], { roots: { listChanged: false }, ...asks }),
  client('vscode', ['flat', 'flat', 'search'], ['Visual Studio Code', '1.108.0', '2025-11-25'], {
    ...hasRoots,
    sampling: {},
    ...asksBoth,
  }),
  client('vscode', ['flat', 'flat', 'search'], ['Visual Studio Code - Insiders', '1.109.0', '2025-11-25'], hasRoots),
  client('codex', always, ['codex-mcp-client', '0.165.0', '2025-06-18'], asks, { title: 'Codex' }),
  client('copilot-cli', always, ['github-copilot-developer', '1.0.57', '2025-11-25']),
  client('gemini-cli', whileSmall, ['gemini-cli-mcp-client', '0.0.1', '2025-06-18'], hasRoots),
  client('antigravity', whileSmall, ['antigravity-client', 'v1.0.0', '2025-11-25'], { ...asksBoth, ...hasRoots }),
  client('windsurf', whileSmall, ['windsurf-client', '1.0.0', '2025-03-26']),
  client('zed', whileSmall, ['Zed', '0.210.0', '2025-03-26']),
  client('cline', whileSmall, ['Cline', '3.40.0', '2025-06-18']),
  client('continue', whileSmall, ['continue-client', '1.0.0', '2025-06-18']),
  client('goose', whileSmall, ['goose', '1.20.0', '2025-03-26']),
  client('opencode', whileSmall, ['opencode', '1.1.0', '2025-06-18'], { roots: {} }),
  client('amp', whileSmall, ['amp-mcp-client', '0.1.0', '2025-06-18'], { sampling: {} }),
  client('lmstudio', whileSmall, ['lmstudio-mcp-bridge', '1.0.0', '2025-06-18']),
  client('jetbrains', whileSmall, ['JetBrains-IU-copilot-intellij', '1.5.60', '2025-06-18'], {
    ...hasRoots,
    sampling: {},
    ...asks,
  }),
  client('kiro', whileSmall, ['Q DEV CLI', '1.0.0', '2025-06-18']),
  client('inspector', whileSmall, ['mcp-inspector', '2.0.0', '2025-11-25'], { ...hasRoots, sampling: {}, ...asksBoth }),
  client('generic', whileSmall, ['some-new-agent', '0.0.1', '2025-11-25']),
];

export function messageOf(id: string): JsonObject {
  const found = realClients.find((each) => each.id === id);
  if (found === undefined) throw new Error(`there is no message of ${id}`);
  return found.initialize;
}
