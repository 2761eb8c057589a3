/**
 * The peers of `--peers`: which package of npm, and how its documents say it is started in front of servers on stdio. `plan` gives
 * the arguments and variables with which Node runs `main`. `alone`: it takes one server only.
 */
import { fileURLToPath } from 'node:url';

const aggregator = fileURLToPath(new URL('../programs/sdk-aggregator.mjs', import.meta.url));

/** Each has `servers` (definitions by name), a `port` that is free, a `folder` of its own, and `write(value)`, which gives a file. */
export const peers = [
  {
    name: 'thin, SDK 1 (stdio)',
    transport: 'stdio',
    plan: ({ servers, write }) => ({ args: [aggregator, write({ mcpServers: servers }), 'stdio'] }),
  },
  {
    name: 'thin, SDK 1 (HTTP)',
    transport: 'http',
    plan: ({ servers, port, write }) => ({ args: [aggregator, write({ mcpServers: servers }), 'http', String(port)] }),
  },
  {
    name: 'mcp-hub',
    package: 'mcp-hub',
    // Its endpoint for clients is the transport of 2024-11-05 only.
    transport: 'sse',
    plan: ({ main, servers, port, folder, write }) => ({
      args: [main, '--port', String(port), '--config', write({ mcpServers: servers })],
      env: { XDG_STATE_HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    }),
  },
  {
    name: '1mcp (stdio)',
    package: '@1mcp/agent',
    transport: 'stdio',
    plan: ({ main, servers, folder, write }) => ({
      args: [main, 'serve', '--config', write({ mcpServers: servers }), '--transport', 'stdio'],
      env: { ONE_MCP_CONFIG_DIR: folder },
    }),
  },
  {
    name: '1mcp (HTTP)',
    package: '@1mcp/agent',
    transport: 'http',
    plan: ({ main, servers, port, folder, write }) => ({
      args: [main, 'serve', '--config', write({ mcpServers: servers }), '--host', '127.0.0.1', '--port', String(port)],
      env: { ONE_MCP_CONFIG_DIR: folder },
    }),
  },
  {
    name: 'mcp-proxy',
    package: 'mcp-proxy',
    transport: 'http',
    alone: true,
    plan: ({ main, servers: { s0 }, port }) => ({
      args: [main, '--host', '127.0.0.1', '--port', String(port), '--', s0.command, ...s0.args],
    }),
  },
  {
    name: 'supergateway --stateful',
    package: 'supergateway',
    transport: 'http',
    alone: true,
    plan: ({ main, servers: { s0 }, port }) => {
      const command = [s0.command, ...s0.args].map((part) => `"${part}"`).join(' ');
      const serve = ['--outputTransport', 'streamableHttp', '--stateful', '--port', String(port)];
      return { args: [main, '--stdio', command, ...serve, '--logLevel', 'none'] };
    },
  },
];

/** Not published under the names they are known by. They are not asked for: whoever takes such a name would be run here. */
export const absent = ['mcp-proxy-server', 'mcp-workbench 0.14.0 (the founding one)'];
