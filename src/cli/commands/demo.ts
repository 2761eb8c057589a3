/** `demo`: starts the program as a client would, opens two toolboxes and calls one tool. */

import { untilAborted } from '../../base/async/until-aborted.ts';
import { findList, findMember, findString, isObject } from '../../base/json/json.ts';
import { exitCode, type JsonObject, toPrintable } from '../../index.ts';
import { createMcpPeer, introduce, type McpPeer } from '../call/mcp-peer.ts';
import { toPrintableLines } from '../output/output.ts';
import type { Context } from '../run/session.ts';
import { toClientEntry } from '../service/client-entry.ts';

const question = {
  tool: { toolbox: 'time', server: 'calendar', name: 'weekday' },
  arguments: { date: '2026-07-28' },
};

export async function demo(context: Context): Promise<number> {
  const { io, output } = context;
  const { program, library } = io;
  const config = library.loadConfig({ flag: program.demoConfig, env: io.env, cwd: io.cwd, trust: true });
  // The demo is a part of the program, so it is as trusted as the installation.
  const child = program.start(['serve', '--quiet', '--trust-config', '--config', program.demoConfig]);
  try {
    await untilAborted(
      io.signal,
      talk(context, createMcpPeer({ ...child, whom: 'The demo server' }), [...config.toolboxes.keys()]),
    );
  } finally {
    child.input.end();
    if (io.signal.aborted) child.kill();
    await child.ended;
  }
  output.line('To use it in a client, paste:');
  output.line();
  output.line(toClientEntry(program, program.demoConfig));
  return exitCode.ok;
}

async function talk({ io, output }: Context, peer: McpPeer, toolboxes: readonly string[]): Promise<void> {
  const { paint } = output;
  await introduce(peer, { name: 'mcp-workbench demo', version: io.library.version });
  output.line(`Serving ${toPrintable(io.program.demoConfig)}`);
  output.line();
  for (const toolbox of toolboxes) {
    const opened = await callTool(peer, 'open_toolbox', { toolbox });
    output.line(`${paint.bold(`@${toolbox}`)}  ${toPrintable(findString(opened, 'description') ?? '')}`);
    for (const tool of findList(opened, 'tools')) {
      if (!isObject(tool)) continue;
      const name = `${findString(tool, 'server') ?? ''}.${findString(tool, 'name') ?? ''}`;
      output.line(`  ${toPrintable(name)}  ${paint.dim(toPrintable(findString(tool, 'description') ?? '', 100))}`);
    }
    output.line();
  }
  const answer = await peer.request('tools/call', { name: 'use_tool', arguments: question });
  output.line(`Question  use_tool ${JSON.stringify(question)}`);
  output.line(`Answer    ${toPrintableLines(toText(answer))}`);
  output.line();
}

/** The structured answer of a meta-tool. */
async function callTool(peer: McpPeer, name: string, args: JsonObject): Promise<JsonObject> {
  const result = await peer.request('tools/call', { name, arguments: args });
  const structured = findMember(result, 'structuredContent');
  return isObject(structured) ? structured : {};
}

function toText(result: JsonObject): string {
  return findList(result, 'content')
    .map((block) => (isObject(block) ? (findString(block, 'text') ?? '') : ''))
    .join('\n');
}
