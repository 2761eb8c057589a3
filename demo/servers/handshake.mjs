/** A server of the handshake era (protocol versions up to 2025-11-25): the client says `initialize` first. */
import { RpcError, serveLines } from './pipe.mjs';
import { callTool, toDefinitions } from './tools.mjs';

const versions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];

export function serveHandshake({ name, version, instructions, tools }) {
  serveLines((method, params) => {
    switch (method) {
      case 'initialize':
        return {
          protocolVersion: versions.includes(params.protocolVersion) ? params.protocolVersion : versions[0],
          capabilities: { tools: {} },
          serverInfo: { name, version },
          instructions,
        };
      case 'ping':
        return {};
      case 'tools/list':
        return { tools: toDefinitions(tools) };
      case 'tools/call':
        return callTool(tools, params);
      default:
        throw new RpcError(-32601, `Method not found: ${method}`);
    }
  });
}
