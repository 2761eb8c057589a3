/** The smallest configuration that does something, to paste. */

export const smallestFile = `{
  "mcpServers": {
    "memory": { "command": "npx", "args": ["-y", "@modelcontextprotocol/server-memory"] }
  }
}`;
