/** The smallest configuration that works, ready to paste. */

export const smallestFile = `{
  "mcpServers": {
    "memory": { "command": "npx", "args": ["-y", "@modelcontextprotocol/server-memory"] }
  }
}`;
