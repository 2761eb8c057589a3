/**
 * The clients, and everything in which they differ for us: one row each. A value that is not known is undefined, never guessed.
 * State of November 2026.
 */
import type { CatalogBound, ClientRow } from './client-row.ts';

/** Below this size, finding a tool costs more than reading all of them. */
export const smallCatalog: CatalogBound = { tools: 20, tokens: 3_000 };
const anyCatalog: CatalogBound = { tools: Number.POSITIVE_INFINITY, tokens: Number.POSITIVE_INFINITY };
const plainName = /^[A-Za-z0-9_-]*$/;

const unknown = { searchesTools: undefined, takesListChanged: undefined, takesInstructions: undefined } as const;
const eager = { ...unknown, searchesTools: false } as const;
const usual = { schemas: 'original', showsUpTo: smallCatalog } as const;

/** For clients that are not in the table. */
export const genericClient: ClientRow = {
  id: 'generic',
  title: 'other clients',
  names: { is: [], evidence: 'assumed' },
  ...unknown,
  ...usual,
};

export const clientTable: readonly ClientRow[] = [
  {
    id: 'claude-code',
    title: 'Claude Code',
    names: { is: ['claude-code'], evidence: 'recorded' },
    searchesTools: true,
    nameLimit: { prefix: 'mcp__workbench__', most: 64, characters: plainName },
    takesListChanged: true,
    takesInstructions: true,
    hidesText: true,
    schemas: 'original',
    showsUpTo: anyCatalog,
    alwaysShows: 'anthropic/alwaysLoad',
  },
  {
    id: 'claude-desktop',
    title: 'Claude Desktop',
    names: { is: ['claude-ai', 'claude-desktop'], evidence: 'recorded' },
    searchesTools: true,
    nameLimit: { prefix: '', most: 64, characters: plainName },
    // Tools that come late are never seen, so it gets a list that does not depend on servers.
    takesListChanged: false,
    takesInstructions: undefined,
    ...usual,
  },
  {
    id: 'cursor',
    title: 'Cursor',
    names: { is: ['cursor-vscode', 'cursor'], begins: ['cursor-'], evidence: 'recorded' },
    searchesTools: true,
    nameLimit: { prefix: 'workbench', most: 59 },
    takesListChanged: true,
    takesInstructions: undefined,
    schemas: 'original',
    showsUpTo: anyCatalog,
  },
  {
    id: 'vscode',
    title: 'VS Code',
    names: { is: ['visual-studio-code', 'vscode'], begins: ['visual-studio-code-'], evidence: 'recorded' },
    // It groups tools above a number of its own, and fails over more than its limit.
    searchesTools: true,
    nameLimit: { prefix: 'mcp_workbench_', most: 64 },
    maxTools: 128,
    takesListChanged: true,
    takesInstructions: true,
    hidesText: true,
    schemas: 'original',
    showsUpTo: { ...anyCatalog, tools: 100 },
  },
  {
    id: 'copilot-cli',
    title: 'Copilot CLI',
    names: { is: ['github-copilot-developer', 'github-copilot-cli', 'copilot-cli'], evidence: 'recorded' },
    ...unknown,
    searchesTools: true,
    schemas: 'original',
    showsUpTo: anyCatalog,
  },
  {
    id: 'codex',
    title: 'Codex',
    names: { is: ['codex-mcp-client', 'codex'], evidence: 'recorded' },
    searchesTools: true,
    nameLimit: { prefix: 'mcp__workbench__', most: 128 },
    takesListChanged: false,
    takesInstructions: true,
    schemas: 'original',
    showsUpTo: anyCatalog,
  },
  {
    id: 'gemini-cli',
    title: 'Gemini CLI',
    names: {
      is: ['gemini-cli-mcp-client', 'gemini-cli'],
      begins: ['gemini-cli-mcp-client-'],
      evidence: 'recorded',
    },
    searchesTools: false,
    nameLimit: { prefix: 'mcp_workbench_', most: 63, characters: /^[A-Za-z0-9_.:-]*$/ },
    takesListChanged: true,
    takesInstructions: true,
    schemas: 'portable',
    showsUpTo: smallCatalog,
  },
  {
    id: 'antigravity',
    title: 'Antigravity',
    names: { is: ['antigravity-client', 'antigravity'], evidence: 'recorded' },
    ...eager,
    maxTools: 100,
    schemas: 'portable',
    showsUpTo: smallCatalog,
  },
  {
    id: 'windsurf',
    title: 'Windsurf',
    names: { is: ['windsurf-client', 'windsurf'], evidence: 'listed' },
    ...eager,
    maxTools: 100,
    takesListChanged: true,
    ...usual,
  },
  {
    id: 'zed',
    title: 'Zed',
    names: { is: ['zed'], evidence: 'recorded' },
    ...eager,
    takesListChanged: true,
    ...usual,
  },
  {
    id: 'cline',
    title: 'Cline',
    names: { is: ['cline', '@cline-core', 'cline-cli'], evidence: 'listed' },
    ...eager,
    takesListChanged: true,
    ...usual,
  },
  {
    id: 'continue',
    title: 'Continue',
    names: { is: ['continue-client', 'continue-cli-client'], evidence: 'recorded' },
    ...eager,
    ...usual,
  },
  {
    id: 'goose',
    title: 'Goose',
    names: { is: ['goose', 'goose-desktop', 'goose-cli'], evidence: 'listed' },
    ...eager,
    takesInstructions: true,
    ...usual,
  },
  {
    id: 'opencode',
    title: 'opencode',
    names: { is: ['opencode'], evidence: 'listed' },
    searchesTools: false,
    takesListChanged: true,
    takesInstructions: true,
    ...usual,
  },
  {
    id: 'amp',
    title: 'Amp',
    names: { is: ['amp-mcp-client', 'amp'], evidence: 'listed' },
    ...eager,
    ...usual,
  },
  {
    id: 'warp',
    title: 'Warp',
    names: { is: ['warp', 'warp-terminal'], evidence: 'assumed' },
    ...eager,
    ...usual,
  },
  {
    id: 'lmstudio',
    title: 'LM Studio',
    names: { is: ['lmstudio-mcp-bridge', 'lm-studio', 'lmstudio'], evidence: 'listed' },
    ...eager,
    // Its engine makes a grammar of each schema, and fails over what it cannot express.
    schemas: 'portable',
    showsUpTo: smallCatalog,
  },
  {
    id: 'junie',
    title: 'Junie',
    names: { is: ['junie'], begins: ['junie-'], evidence: 'assumed' },
    ...eager,
    ...usual,
  },
  {
    id: 'jetbrains',
    title: 'JetBrains IDEs',
    names: { is: ['jetbrains-ai-assistant'], begins: ['jetbrains-'], evidence: 'listed' },
    ...unknown,
    ...usual,
  },
  {
    id: 'kiro',
    title: 'Kiro',
    names: { is: ['q-dev-cli', 'kiro', 'kiro-cli'], evidence: 'recorded' },
    ...eager,
    ...usual,
  },
  {
    id: 'grok',
    title: 'Grok Build',
    names: { is: ['grok-shell', 'grok'], begins: ['grok-shell-'], evidence: 'listed' },
    ...unknown,
    ...usual,
  },
  {
    id: 'kimi',
    title: 'Kimi Code',
    names: { is: ['kimi-code', 'kimi-cli', 'kimi'], evidence: 'assumed' },
    ...unknown,
    ...usual,
  },
  {
    id: 'kilo',
    title: 'Kilo Code',
    names: { is: ['kilo-code', 'kilo'], evidence: 'listed' },
    ...unknown,
    takesListChanged: true,
    ...usual,
  },
  {
    id: 'factory',
    title: 'Factory Droid',
    names: { is: ['factory-cli'], evidence: 'listed' },
    ...unknown,
    ...usual,
  },
  {
    id: 'crush',
    title: 'Crush',
    names: { is: ['crush'], evidence: 'listed' },
    ...unknown,
    ...usual,
  },
  {
    id: 'trae',
    title: 'Trae',
    names: { is: ['trae'], evidence: 'assumed' },
    ...unknown,
    ...usual,
  },
  {
    id: 'vibe',
    title: 'Mistral Vibe',
    names: { is: ['mistral-vibe', 'vibe'], evidence: 'assumed' },
    ...unknown,
    ...usual,
  },
  {
    id: 'inspector',
    title: 'MCP Inspector',
    names: { is: ['mcp-inspector', 'inspector-client', 'inspector-cli'], evidence: 'listed' },
    searchesTools: false,
    takesListChanged: true,
    takesInstructions: true,
    ...usual,
  },
];

/** What a tool carries in `_meta` so that clients which hide tools at first show it. */
export const alwaysShownMeta: Readonly<Record<string, true>> = Object.fromEntries(
  clientTable.flatMap(({ alwaysShows }) => (alwaysShows === undefined ? [] : [[alwaysShows, true]])),
);
