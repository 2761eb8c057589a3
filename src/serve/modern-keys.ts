/** The members of `_meta` that the stateless era reserves. */
const prefix = 'io.modelcontextprotocol/';

export const keys = {
  version: `${prefix}protocolVersion`,
  capabilities: `${prefix}clientCapabilities`,
  clientInfo: `${prefix}clientInfo`,
  logLevel: `${prefix}logLevel`,
  serverInfo: `${prefix}serverInfo`,
  subscription: `${prefix}subscriptionId`,
} as const;
