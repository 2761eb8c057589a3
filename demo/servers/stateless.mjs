/** A server of protocol version 2026-07-28: no handshake, every request says who asks and in which version. */
import { RpcError, serveLines } from './pipe.mjs';
import { callTool, toDefinitions } from './tools.mjs';

const supported = ['2026-07-28'];
const meta = (key) => `io.modelcontextprotocol/${key}`;
/** How long an answer may be reused: these lists never change while the server runs. */
const cache = { ttlMs: 3_600_000, cacheScope: 'public' };

export function serveStateless({ name, version, instructions, tools }) {
  const complete = (result) => ({
    resultType: 'complete',
    ...result,
    _meta: { [meta('serverInfo')]: { name, version } },
  });
  serveLines((method, params) => {
    checkVersion(method, params);
    switch (method) {
      case 'server/discover':
        return complete({ supportedVersions: supported, capabilities: { tools: {} }, instructions, ...cache });
      case 'tools/list':
        return complete({ tools: toDefinitions(tools), ...cache });
      case 'tools/call':
        return complete(callTool(tools, params));
      default:
        throw new RpcError(-32601, `Method not found: ${method}`);
    }
  });
}

function checkVersion(method, params) {
  const requested = method === 'initialize' ? params.protocolVersion : params._meta?.[meta('protocolVersion')];
  if (method === 'initialize' || (requested !== undefined && !supported.includes(requested))) {
    throw new RpcError(-32022, `Unsupported protocol version; supported: ${supported.join(', ')}`, {
      supported,
      requested,
    });
  }
  for (const key of ['protocolVersion', 'clientCapabilities']) {
    if (params._meta?.[meta(key)] === undefined) throw new RpcError(-32602, `Missing in _meta: ${meta(key)}`);
  }
}
