// @module-tag large
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { tempDir } from '../../support/processes.ts';
import { prepareProgram } from '../../support/program.ts';
import {
  type CallOptions,
  type Connect,
  connectV1,
  connectV2Legacy,
  connectV2Modern,
  type Progress,
  type SdkClient,
  type ToolResult,
} from '../../support/sdk-clients.ts';
import { buildSubjects, type ServerName, type Subject, serverNames, type ToolCall } from './matrix-subjects.ts';

interface ClientKind {
  readonly connect: Connect;
  readonly modern: boolean;
}
type Mode = 'meta' | 'dynamic' | 'flat';

const clients: [string, ClientKind][] = [
  ['SDK v1', { connect: connectV1, modern: false }],
  ['SDK v2, handshake era', { connect: connectV2Legacy, modern: false }],
  ['SDK v2, stateless era', { connect: connectV2Modern, modern: true }],
];
const modes: Mode[] = ['meta', 'dynamic', 'flat'];
const metaTools = ['open_toolbox', 'use_tool'];

describe.each(clients)('%s', (_name, kind) => {
  describe.each(modes)('in mode %s', (mode) => {
    // A client whose list may not change reaches the tools of a toolbox by use_tool, whatever the mode.
    const byUseTool = mode === 'meta' || (mode === 'dynamic' && kind.modern);
    let subjects: Record<ServerName, Subject>;
    let client: SdkClient;

    beforeAll(async () => {
      const dir = tempDir();
      writeFileSync(join(dir, 'hello.txt'), 'hello from a file');
      subjects = buildSubjects(dir);
      const mcpServers = Object.fromEntries(serverNames.map((server) => [server, subjects[server].start]));
      const toolboxes = { box: { description: 'All of them', mcpServers } };
      const start = prepareProgram({ config: { mode, ...(mode === 'flat' ? { mcpServers } : { toolboxes }) } });
      client = await kind.connect(start.command, start.args, start.env, start.dir);
      return () => client.close();
    });

    const publicName = (server: ServerName, tool: string) =>
      mode === 'flat' ? `${server}:${tool}` : `box__${server}__${tool}`;
    const use = (server: ServerName, { name, args }: ToolCall, options?: CallOptions): Promise<ToolResult> =>
      byUseTool
        ? client.callTool('use_tool', { tool: { toolbox: 'box', server, name }, arguments: args }, options)
        : client.callTool(publicName(server, name), args, options);
    const names = async () => (await client.listTools()).map(({ name }) => name);

    describe.each(serverNames)('with the server %s', (server) => {
      it('lists its tools', async () => {
        const { tools } = subjects[server];
        const opened = mode === 'flat' ? undefined : await client.callTool('open_toolbox', { toolbox: 'box' });
        const listed = await names();
        if (byUseTool) {
          expect(listed).toEqual(metaTools);
          expect(inOrder(toolsOf(opened, server), tools)).toEqual(tools);
        } else {
          const expected = tools.map((tool) => publicName(server, tool));
          expect(inOrder(listed, expected)).toEqual(expected);
          expect(listed.filter((name) => metaTools.includes(name))).toEqual(mode === 'flat' ? [] : ['open_toolbox']);
        }
      });

      it('calls a tool', async () => {
        const { call } = subjects[server];
        const result = await use(server, call);
        expect(result.isError ?? false).toBe(false);
        expect(result.content[0]?.text).toContain(call.text);
      });

      it('hears the progress of a call, when there is any', async () => {
        const { slow, call } = subjects[server];
        const heard: Progress[] = [];
        const result = await use(server, slow ?? call, { onProgress: (progress) => heard.push(progress) });
        expect(result.content[0]?.text).toContain((slow ?? call).text);
        // Both SDKs may lose what they read together with the result, so the last steps are not certain.
        if (slow === undefined) expect(heard).toEqual([]);
        else
          expect(heard).toEqual(
            [1, 2, 3].slice(0, Math.max(1, heard.length)).map((progress) => ({ progress, total: 3 })),
          );
      });

      it('cancels a call and goes on', async () => {
        const { endless, call } = subjects[server];
        const abort = new AbortController();
        const cancelled = use(server, endless ?? call, { signal: abort.signal, onProgress: () => abort.abort() });
        if (endless === undefined) abort.abort();
        await expect(cancelled).rejects.toThrow();
        expect((await use(server, call)).content[0]?.text).toContain(call.text);
      });

      it('sees the failure of a tool as its result', async () => {
        const { failing } = subjects[server];
        const result = await use(server, failing);
        expect(result.isError).toBe(true);
        expect(result.content[0]?.text).toContain(failing.text);
      });

      it('is told that a tool is unknown, in the way of the mode', async () => {
        const answer = use(server, { name: 'no-such-tool', args: {} });
        if (mode === 'flat') {
          await expect(answer).rejects.toMatchObject({
            code: kind.modern ? -32602 : -32601,
            message: expect.stringContaining(`Unknown tool '${server}:no-such-tool'`),
          });
          return;
        }
        const { isError, content } = await answer;
        expect(isError).toBe(true);
        const where = byUseTool ? '' : `[box/${server}/no-such-tool] Error: `;
        const text = `${where}Tool 'no-such-tool' not found in server '${server}' (toolbox 'box')`;
        expect(content[0]?.text?.startsWith(text)).toBe(true);
      });
    });
  });
});

/** Names of a server's tools in the answer of open_toolbox. */
function toolsOf(opened: ToolResult | undefined, server: ServerName): string[] {
  const { tools } = (opened?.structuredContent ?? { tools: [] }) as { tools: { server: string; name: string }[] };
  return tools.filter((tool) => tool.server === server).map(({ name }) => name);
}

/** Those of `all` that are in `wanted`, in the order of `all`. */
function inOrder(all: readonly string[], wanted: readonly string[]): string[] {
  return all.filter((name) => wanted.includes(name));
}
