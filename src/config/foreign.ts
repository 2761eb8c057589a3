/**
 * Keys that other clients write into a server entry: which of ours they mean, or why they do not matter here.
 * Declared as a table, so that reading, the JSON Schema and the reference page say the same.
 */
import type { serverShape } from './schema.ts';

export type ServerKey = keyof (typeof serverShape)['members'] & string;

export interface ForeignKey {
  readonly as: ServerKey;
  /** same: the value as it is; not: the opposite; keep, leave out: names of tools for `toolFilters`. */
  readonly how: 'same' | 'not' | 'keep' | 'leave out';
}

export const understoodKeys: ReadonlyMap<string, ForeignKey> = new Map<string, ForeignKey>([
  ['enabled', { as: 'disabled', how: 'not' }],
  ['serverUrl', { as: 'url', how: 'same' }],
  ['httpUrl', { as: 'url', how: 'same' }],
  ['uri', { as: 'url', how: 'same' }],
  ['baseUrl', { as: 'url', how: 'same' }],
  ['http_headers', { as: 'headers', how: 'same' }],
  ['environment', { as: 'env', how: 'same' }],
  ['envs', { as: 'env', how: 'same' }],
  ['cmd', { as: 'command', how: 'same' }],
  ['working_directory', { as: 'cwd', how: 'same' }],
  ['transportType', { as: 'transport', how: 'same' }],
  ['toolTimeoutMs', { as: 'timeoutMs', how: 'same' }],
  ['auth', { as: 'oauth', how: 'same' }],
  ['includeTools', { as: 'toolFilters', how: 'keep' }],
  ['enabled_tools', { as: 'toolFilters', how: 'keep' }],
  ['allowedTools', { as: 'toolFilters', how: 'keep' }],
  ['tools', { as: 'toolFilters', how: 'keep' }],
  ['excludeTools', { as: 'toolFilters', how: 'leave out' }],
  ['disabled_tools', { as: 'toolFilters', how: 'leave out' }],
  ['disabledTools', { as: 'toolFilters', how: 'leave out' }],
]);

/** Keys of other clients inside `oauth`: of Claude Code and of Cursor. */
export const oauthKeys: ReadonlyMap<string, string> = new Map([
  ['callbackPort', 'redirectPort'],
  ['CLIENT_ID', 'clientId'],
  ['CLIENT_SECRET', 'clientSecret'],
]);

const approvals = 'The Workbench does not take approvals from a file; your client asks.';
const notNeeded = 'Not needed here.';

/** Ignored, with the reason. */
export const ignoredKeys: ReadonlyMap<string, string> = new Map<string, string>([
  ['autoApprove', approvals],
  ['alwaysAllow', approvals],
  ['trust', approvals],
  ['alwaysLoad', 'It belongs into the entry of the Workbench in your client.'],
  ['timeout', 'Its unit differs from client to client; use "timeoutMs" or "startTimeoutMs".'],
  ['headersHelper', 'Not supported by this version; use "headers" with a token.'],
  ['sandbox', 'The Workbench does not confine servers.'],
  ['sandboxEnabled', 'The Workbench does not confine servers.'],
  ['dev', notNeeded],
  ['source', notNeeded],
  ['gallery', notNeeded],
  ['version', notNeeded],
  ['name', 'The name of a server is its key.'],
  ['tags', notNeeded],
  ['icon', notNeeded],
]);

/** Top-level keys under which other clients keep their servers, when the file has none of ours. */
export const foreignShapes: ReadonlyMap<string, string> = new Map<string, string>([
  ['context_servers', 'Zed'],
  ['mcp', 'opencode, Kilo Code or Crush'],
  ['extensions', 'Goose'],
  ['amp.mcpServers', 'Amp'],
  ['mcp_servers', 'Codex'],
]);

/** What reading a foreign key amounts to, in words. */
export function toReading({ as, how }: ForeignKey): string {
  switch (how) {
    case 'same':
      return `read as "${as}"`;
    case 'not':
      return `read as the opposite of "${as}"`;
    case 'keep':
      return `read as "${as}"`;
    case 'leave out':
      return `read as "${as}" with "!" in front of each name`;
  }
}
