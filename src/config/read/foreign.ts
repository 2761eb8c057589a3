/**
 * Keys that other clients write into a server entry: which of our keys they mean, or why they do not matter here.
 * Declared as a table, so that the reader, the JSON Schema and the reference page agree.
 */
import type { serverShape } from '../model/schema.ts';

export type ServerKey = keyof (typeof serverShape)['members'] & string;

export interface ForeignKey {
  readonly as: ServerKey;
  readonly how: How;
}

/**
 * same: the value as it is; not: the opposite; seconds: a thousand times as much; keep, leave out: names of tools for `toolFilters`;
 * keep some: the same, but an empty list means all; variables: names of variables to pass on; variable headers: headers by the
 * variable that has their value; bearer: the variable that has the token.
 */
export type How =
  | 'same'
  | 'not'
  | 'seconds'
  | 'keep'
  | 'keep some'
  | 'leave out'
  | 'variables'
  | 'variable headers'
  | 'bearer';

export const understoodKeys: ReadonlyMap<string, ForeignKey> = new Map<string, ForeignKey>([
  ['enabled', { as: 'disabled', how: 'not' }],
  ['serverUrl', { as: 'url', how: 'same' }],
  ['httpUrl', { as: 'url', how: 'same' }],
  ['uri', { as: 'url', how: 'same' }],
  ['baseUrl', { as: 'url', how: 'same' }],
  ['http_headers', { as: 'headers', how: 'same' }],
  ['env_http_headers', { as: 'headers', how: 'variable headers' }],
  ['bearer_token_env_var', { as: 'headers', how: 'bearer' }],
  ['environment', { as: 'env', how: 'same' }],
  ['envs', { as: 'env', how: 'same' }],
  ['env_vars', { as: 'env', how: 'variables' }],
  ['env_keys', { as: 'env', how: 'variables' }],
  ['cmd', { as: 'command', how: 'same' }],
  ['executable', { as: 'command', how: 'same' }],
  ['working_directory', { as: 'cwd', how: 'same' }],
  ['workingDirectory', { as: 'cwd', how: 'same' }],
  ['transportType', { as: 'transport', how: 'same' }],
  ['toolTimeoutMs', { as: 'timeoutMs', how: 'same' }],
  ['request_timeout_ms', { as: 'timeoutMs', how: 'same' }],
  ['tool_timeout_sec', { as: 'timeoutMs', how: 'seconds' }],
  ['startup_timeout_ms', { as: 'startTimeoutMs', how: 'same' }],
  ['startupTimeoutMs', { as: 'startTimeoutMs', how: 'same' }],
  ['startup_timeout_sec', { as: 'startTimeoutMs', how: 'seconds' }],
  ['auth', { as: 'oauth', how: 'same' }],
  ['includeTools', { as: 'toolFilters', how: 'keep' }],
  ['enabled_tools', { as: 'toolFilters', how: 'keep' }],
  ['allowedTools', { as: 'toolFilters', how: 'keep' }],
  ['available_tools', { as: 'toolFilters', how: 'keep some' }],
  ['excludeTools', { as: 'toolFilters', how: 'leave out' }],
  ['disabled_tools', { as: 'toolFilters', how: 'leave out' }],
  ['disabledTools', { as: 'toolFilters', how: 'leave out' }],
  ['blockedTools', { as: 'toolFilters', how: 'leave out' }],
]);

/** In other clients `tools` is a list of names; ours is an object. */
export const toolsAsList: ForeignKey = { as: 'toolFilters', how: 'keep' };

/** Keys of other clients inside `oauth`: of Claude Code, Cursor, Codex and opencode. */
export const oauthKeys: ReadonlyMap<string, string> = new Map([
  ['callbackPort', 'redirectPort'],
  ['callback_port', 'redirectPort'],
  ['CLIENT_ID', 'clientId'],
  ['client_id', 'clientId'],
  ['CLIENT_SECRET', 'clientSecret'],
  ['client_secret', 'clientSecret'],
  ['scope', 'scopes'],
]);

const addressesAreFound = 'The Workbench finds the addresses by itself; "issuer" names the only one it may use.';

/** Ignored there, with the reason. */
export const ignoredOauthKeys: ReadonlyMap<string, string> = new Map<string, string>([
  ['authServerMetadataUrl', addressesAreFound],
  ['authorizationUrl', addressesAreFound],
  ['tokenUrl', addressesAreFound],
  ['redirectUri', 'It is always http://127.0.0.1:<port>/callback; "redirectPort" sets the port.'],
  ['redirect_uri', 'It is always http://127.0.0.1:<port>/callback; "redirectPort" sets the port.'],
  ['audiences', 'The Workbench requests tokens for the server itself.'],
  ['tokenParamName', 'The token is sent as a header.'],
  ['enabled', 'A person signs in when the server asks for it.'],
]);

const approvals = 'The Workbench does not take approvals from a file; your client asks.';
const notNeeded = 'Not needed here.';

/** Ignored, with the reason. */
export const ignoredKeys: ReadonlyMap<string, string> = new Map<string, string>([
  ['autoApprove', approvals],
  ['alwaysAllow', approvals],
  ['trust', approvals],
  ['alwaysLoad', 'It belongs in the entry of the Workbench in your client.'],
  ['timeout', 'Its unit differs from client to client; use "timeoutMs" or "startTimeoutMs".'],
  ['headersHelper', 'Not supported by this version; use "headers" with a token.'],
  ['http_headers_helper', 'Not supported by this version; use "headers" with a token.'],
  ['authProviderType', 'Not supported by this version; use "oauth", or "headers" with a token.'],
  ['targetAudience', 'Not supported by this version; use "oauth", or "headers" with a token.'],
  ['targetServiceAccount', 'Not supported by this version; use "oauth", or "headers" with a token.'],
  ['oauth_resource', 'The Workbench requests tokens for the server itself.'],
  ['scopes', 'Write them inside "oauth": { "scopes": […] }.'],
  ['roots', 'A server gets the roots of the client that uses it.'],
  ['startup', 'A server is started when it is needed; "start": "eager" starts it with the Workbench.'],
  ['restart', 'The Workbench restarts a server that is lost.'],
  ['required', 'A server that cannot be started does not stop the others.'],
  ['environment_id', 'Servers run on this machine.'],
  ['supports_parallel_tool_calls', notNeeded],
  ['watchPaths', notNeeded],
  ['bundled', notNeeded],
  ['dev', notNeeded],
  ['source', notNeeded],
  ['gallery', notNeeded],
  ['version', notNeeded],
  ['display_name', notNeeded],
  ['name', 'The name of a server is its key.'],
  ['tags', notNeeded],
  ['icon', notNeeded],
]);

const notConfined = 'The Workbench does not confine servers: this one can do everything that you can do.';
const notAsked =
  'The Workbench does not ask for approval of a call; leave the tool out with "toolFilters", or let your client ask.';

/** Keys that restrict a server in another client but not here. A person must not rely on them, so they have their own code. */
export const unheldKeys: ReadonlyMap<string, string> = new Map<string, string>([
  ['sandbox', notConfined],
  ['sandboxEnabled', notConfined],
  ['default_tools_approval_mode', notAsked],
  ['omit_tools_from', 'Every client of the Workbench sees the same tools; leave some out with "toolFilters".'],
]);

/** Codex keeps the approvals of single tools under the key that others use for a list of tools. */
export const approvalsByTool = { key: 'tools', inner: 'approval_mode', reason: notAsked } as const;

/** Top-level keys under which other clients keep their servers, when the file has none of ours. */
export const foreignShapes: ReadonlyMap<string, string> = new Map<string, string>([
  ['context_servers', 'Zed'],
  ['mcp', 'opencode, Kilo Code or Crush'],
  ['extensions', 'Goose'],
  ['amp.mcpServers', 'Amp'],
  ['mcp_servers', 'Codex'],
]);

/** Describes how a foreign key is read. */
export function toReading({ as, how }: ForeignKey): string {
  switch (how) {
    case 'same':
      return `read as "${as}"`;
    case 'not':
      return `read as the opposite of "${as}"`;
    case 'seconds':
      return `read as "${as}", in seconds`;
    case 'keep':
      return `read as "${as}"`;
    case 'keep some':
      return `read as "${as}"; an empty list means all`;
    case 'variables':
      return `read as "${as}" with the values of these variables`;
    case 'variable headers':
      return `read as "${as}" with the values of these variables`;
    case 'bearer':
      return `read as "${as}" with "Authorization": "Bearer …" from this variable`;
    case 'leave out':
      return `read as "${as}" with "!" in front of each name`;
  }
}
