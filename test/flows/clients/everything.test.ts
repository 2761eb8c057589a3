import { describe, expect, it } from 'vitest';
import { prepareProgram } from '../../support/program.ts';
import { type Connect, connectV1, connectV2Legacy, connectV2Modern } from '../../support/sdk-clients.ts';
import { reference } from '../../support/servers.ts';

const clients: [string, Connect][] = [
  ['v1', connectV1],
  ['v2 in the handshake era', connectV2Legacy],
  ['v2 in the stateless era', connectV2Modern],
];

describe.each(clients)('the reference server for a client on SDK %s', (_name, connect) => {
  const start = async () => {
    const every = reference('everything', 'stdio');
    const { command, args, env, dir } = prepareProgram({ config: { mcpServers: { every } } });
    return connect(command, args, env, dir);
  };

  it('gives its prompts, and completes their arguments with the context of the others', async () => {
    const { more } = await start();
    const names = (await more.listPrompts()).prompts.map(({ name }) => name);
    expect(names).toEqual(['simple', 'args', 'completable', 'resource'].map((name) => `every:${name}-prompt`));
    const asked = await more.getPrompt({ name: 'every:args-prompt', arguments: { city: 'Bern' } });
    expect(JSON.stringify(asked.messages)).toContain('Bern');
    const ref = { type: 'ref/prompt', name: 'every:completable-prompt' } as const;
    const department = await more.complete({ ref, argument: { name: 'department', value: 'S' } });
    expect(department.completion.values).toEqual(['Sales', 'Support']);
    const lead = { ref, argument: { name: 'name', value: '' }, context: { arguments: { department: 'Sales' } } };
    expect((await more.complete(lead)).completion.values).toEqual(['David', 'Eve', 'Frank']);
  });

  it('gives its resources, listed, by template and as links of its tools', async () => {
    const client = await start();
    const { more } = client;
    const [first] = (await more.listResources()).resources;
    expect(first?.uri).toMatch(/^every\+demo:\/\/resource\/static\/document\//);
    const uri = first?.uri ?? '';
    expect((await more.readResource({ uri })).contents[0]?.uri).toBe(uri);
    const [template] = (await more.listResourceTemplates()).resourceTemplates;
    const expanded = template?.uriTemplate.replace(/\{[^{}]*\}/, '7') ?? '';
    expect((await more.readResource({ uri: expanded })).contents[0]?.uri).toBe(expanded);
    const links = (await client.callTool('every:get-resource-links', { count: 2 })).content as readonly {
      uri?: string;
    }[];
    const linked = links.flatMap((block) => block.uri ?? []);
    expect(linked).toHaveLength(2);
    for (const each of linked) expect((await more.readResource({ uri: each })).contents[0]?.uri).toBe(each);
    await expect(more.readResource({ uri: 'every+demo://nothing' })).rejects.toThrow();
  });
});
