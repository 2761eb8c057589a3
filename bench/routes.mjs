/**
 * The ways from the client to a tool: straight (`direct`), through a process that only passes on (`relay`: over HTTP each request,
 * `pipe`: there the bytes of a connection, unread), and through the Workbench (`flat`, `meta`). All have one shape: a client, the
 * process in the middle, and an end.
 */
import { fileURLToPath } from 'node:url';
import { createHttpClient, createStdioClient, handshake, listAll } from './client.mjs';
import { startNode, waitFor } from './process.mjs';
import { separator, serverFile, stdioServers, toolbox } from './workbench.mjs';

const relayStdio = fileURLToPath(new URL('./programs/relay-stdio.mjs', import.meta.url));
const relayHttp = fileURLToPath(new URL('./programs/relay-http.mjs', import.meta.url));
const pipeTcp = fileURLToPath(new URL('./programs/pipe-tcp.mjs', import.meta.url));

/** `tools` of one server; the Workbench has `servers` of them, the other routes one with the tools of all. */
export async function openRoute(
  name,
  { transport, workbench, servers = 1, tools = 50, nodeFlags = [], settings = {} },
) {
  const kind = name.split(' ')[0];
  const all = servers * tools;
  if (kind === 'direct') return openDirect(name, transport, all);
  if (kind === 'relay' || kind === 'pipe') return openRelay(name, transport, all);
  return openWorkbench(name, { kind, transport, workbench, servers, tools, nodeFlags, settings });
}

/** The parameters of a call as text, in the words of the route. */
export function callParams({ kind, nameOf }, tool, given) {
  if (kind === 'peer') return JSON.stringify({ name: nameOf(tool), arguments: given });
  if (kind === 'flat') return JSON.stringify({ name: `s0${separator}${tool}`, arguments: given });
  if (kind === 'meta') {
    const address = { toolbox, server: 's0', name: tool };
    return JSON.stringify({ name: 'use_tool', arguments: { tool: address, arguments: given } });
  }
  return JSON.stringify({ name: tool, arguments: given });
}

async function openDirect(name, transport, tools) {
  if (transport === 'stdio') return connected(name, startNode([serverFile, String(tools)]), []);
  const server = startNode([serverFile, String(tools), 'http']);
  return connected(name, server, [], await urlOf(server));
}

async function openRelay(name, transport, tools) {
  if (transport === 'stdio')
    return connected(name, startNode([relayStdio, process.execPath, serverFile, String(tools)]), []);
  const server = startNode([serverFile, String(tools), 'http']);
  const { port } = new URL(await urlOf(server));
  const relay = startNode([name === 'pipe' ? pipeTcp : relayHttp, port]);
  return connected(name, relay, [server], await urlOf(relay));
}

async function openWorkbench(name, { kind, transport, workbench, servers, tools, nodeFlags, settings }) {
  const behind = name.endsWith('to http') ? [startNode([serverFile, String(tools), 'http'])] : [];
  const urls = await Promise.all(behind.map(urlOf));
  const definitions = behind.length === 0 ? stdioServers(servers, tools) : urls.map((url) => ({ url }));
  const http = transport === 'http';
  const { args, env } = workbench.plan({ front: kind, servers: definitions, http, nodeFlags, settings });
  const program = startNode(args, { env });
  const url = http ? await waitFor(program, 'stderr', /listens at (\S+)/) : undefined;
  const route = await connected(name, program, behind, url);
  // The list is complete when the servers are up; mode meta starts them when they are needed.
  if (kind === 'flat') await listAll(route.client);
  else await route.client.request('tools/call', JSON.stringify({ name: 'open_toolbox', arguments: { toolbox } }));
  return route;
}

async function connected(name, program, behind, url) {
  const client = url === undefined ? createStdioClient(program) : createHttpClient(url);
  await handshake(client);
  return {
    name,
    kind: name.split(' ')[0],
    pid: program.pid,
    url,
    client,
    async close() {
      await client.close();
      await program.stop(url === undefined ? {} : { signal: 'SIGTERM' });
      await Promise.all(behind.map((each) => each.stop()));
    },
  };
}

async function urlOf(server) {
  return `http://127.0.0.1:${await waitFor(server, 'stdout', /^(\d+)\n/)}/mcp`;
}
