/** Starts a peer in front of servers, and gives a route like all others: a client, the process in the middle, and an end. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createHttpClient, createStdioClient, handshake, listAll } from '../client.mjs';
import { startNode } from '../process.mjs';
import { createSseClient } from '../sse-client.mjs';
import { stdioServers } from '../workbench.mjs';
import { findName } from './find-name.mjs';

const patienceMs = 30_000;

/** A peer that takes one server only gets one with the tools of all. */
export async function openPeer(peer, { workbench, servers, tools }) {
  const all = servers * tools;
  const definitions = peer.alone ? stdioServers(1, all) : stdioServers(servers, tools);
  const folder = mkdtempSync(join(workbench.folder, 'peer-'));
  const write = (value) => {
    const file = join(folder, 'config.json');
    writeFileSync(file, JSON.stringify(value));
    return file;
  };
  const named = Object.fromEntries(definitions.map((server, at) => [`s${at}`, server]));
  const port = await freePort();
  const { args, env } = peer.plan({ main: peer.main, servers: named, port, folder, write, workbench });
  const program = startNode(args, { env });
  if (peer.transport !== 'stdio') program.stdout.resume();
  try {
    const client = await within(() => connect(peer.transport, program, `http://127.0.0.1:${port}/mcp`), program);
    const list = await within(() => waitForList(client, all), program);
    return {
      name: peer.name,
      kind: 'peer',
      pid: program.pid,
      client,
      /** The name under which it offers a tool of the first server. */
      nameOf: (tool) => findName(list, tool),
      async close() {
        await client.close();
        await program.stop(peer.transport === 'stdio' ? {} : { signal: 'SIGTERM' });
      },
    };
  } catch (error) {
    await program.stop({ signal: 'SIGKILL' });
    throw error;
  }
}

async function connect(transport, program, url) {
  for (;;) {
    let client;
    try {
      client = await createClient(transport, program, url);
      await handshake(client);
      return client;
    } catch (error) {
      await client?.close();
      // It does not listen yet, or not to everything.
      if (error.code !== 'ECONNREFUSED' && !error.message.startsWith('HTTP 5')) throw error;
      await pause(5);
    }
  }
}

function createClient(transport, program, url) {
  if (transport === 'stdio') return createStdioClient(program);
  return transport === 'sse' ? createSseClient(url) : createHttpClient(url);
}

/** Some answer before they know everything, with less. */
async function waitForList(client, count) {
  for (;;) {
    const tools = await listAll(client);
    if (tools.length >= count) return tools.map(({ name }) => name);
    await pause(5);
  }
}

function within(act, program) {
  const late = new Promise((_, reject) => {
    setTimeout(() => reject(new Error(`not ready within ${patienceMs / 1_000} s`)), patienceMs).unref();
    program.ended.then(() => reject(new Error(`ended: ${program.said().trim().slice(-200)}`)));
  });
  return Promise.race([act(), late]);
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
