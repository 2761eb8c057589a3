import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { toPortableSchema } from '../../../src/toolbox/portable-schema.ts';
import { messageOf } from '../../clients/initialize-messages.ts';
import { fixture } from '../../support/servers.ts';
import { connect, connectModern, openBench } from './bench-client.ts';

const odd = fixture('raw-legacy', { TOOLS: 'echo', ODD_TOOL: 1 });
const schemasOf = (tools: readonly JsonObject[]) =>
  new Map(
    tools.map(({ name, inputSchema }) => [
      String(name).replace(/^.*[:_]{1,2}(?=odd|echo)/, ''),
      inputSchema as JsonObject,
    ]),
  );
const portable = (schemas: ReadonlyMap<string, JsonObject>) =>
  new Map([...schemas].map(([name, schema]) => [name, toPortableSchema(schema).schema]));

describe('schemas that every model takes', () => {
  it('are shown in mode auto to clients whose row asks for them, and to no others', async () => {
    const workbench = openBench({ mode: 'auto', mcpServers: { odd } });
    const original = schemasOf(await (await connect(workbench, messageOf('claude-code'))).tools());
    expect(portable(original)).not.toEqual(original);
    for (const id of ['gemini-cli', 'antigravity', 'lmstudio'])
      expect(schemasOf(await (await connect(workbench, messageOf(id))).tools()), id).toEqual(portable(original));
    for (const id of ['zed', 'vscode', 'generic'])
      expect(schemasOf(await (await connect(workbench, messageOf(id))).tools()), id).toEqual(original);
  });

  it.each(['flat', 'dynamic'])(
    'are shown in mode %s where the configuration says so, to all or to one client',
    async (mode) => {
      const file = { mode, toolboxes: { box: { description: 'Box', mcpServers: { odd } } } };
      const tools = async (more: object, id = 'zed') => {
        const client = await connect(openBench({ ...file, ...more }), messageOf(id));
        if (mode === 'dynamic') await client.ask('tools/call', { name: 'open_toolbox', arguments: { toolbox: 'box' } });
        const listed = schemasOf(await client.tools());
        listed.delete('open_toolbox');
        return listed;
      };
      const original = await tools({});
      expect(await tools({ schemas: 'portable' })).toEqual(portable(original));
      expect(await tools({ clients: { zed: { schemas: 'portable' } } })).toEqual(portable(original));
      expect(await tools({ clients: { zed: { schemas: 'portable' } } }, 'cline')).toEqual(original);
      expect(await tools({ schemas: 'portable', clients: { zed: { schemas: 'original' } } })).toEqual(original);
    },
  );

  it('change nothing in a call: the server gets the arguments and checks them itself', async () => {
    const workbench = openBench({ mode: 'auto', mcpServers: { odd } });
    const client = await connect(workbench, messageOf('gemini-cli'));
    const args = { anything: { deep: [1, 2.5, null] } };
    const { structuredContent } = await client.ask('tools/call', { name: 'odd__echo', arguments: args });
    expect(structuredContent).toEqual(args);
  });

  it('leave everything else of a definition as it is, and are the same for every client and moment', async () => {
    const workbench = openBench({ mode: 'flat', schemas: 'portable', mcpServers: { odd } });
    const lists = [
      await (await connect(workbench, messageOf('zed'))).tools(),
      await connectModern(workbench, 'zed').tools(),
      await (await connect(workbench, messageOf('codex'))).tools(),
    ];
    for (const list of lists)
      expect(JSON.stringify(list.map(withoutExecution))).toBe(JSON.stringify(lists[0]?.map(withoutExecution)));
    const plain = await (await connect(openBench({ mode: 'flat', mcpServers: { odd } }), messageOf('zed'))).tools();
    const rest = (tools: readonly JsonObject[] = []) => tools.map(({ inputSchema: _, ...others }) => others);
    expect(rest(lists[0])).toEqual(rest(plain));
  });

  it('are not needed by the tools that search', async () => {
    const file = { mode: 'search', schemas: 'portable', mcpServers: { odd } };
    for (const { name, inputSchema } of await (await connect(openBench(file), messageOf('zed'))).tools())
      expect(
        toPortableSchema(inputSchema as JsonObject).changes.map(({ keyword }) => keyword),
        String(name),
      ).not.toContain('$ref');
  });
});

/** Only clients of the handshake era are told of it. */
function withoutExecution({ execution: _, ...tool }: JsonObject): JsonObject {
  return tool;
}
