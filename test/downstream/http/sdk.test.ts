// @module-tag large
import { describe, expect, it } from 'vitest';
import { prepareProgram } from '../../support/program.ts';
import { type Connect, connectV1, connectV2Legacy, connectV2Modern } from '../../support/sdk-clients.ts';
import { type SdkHttpServer, startV1, startV1Sse, startV2 } from './sdk-servers.ts';

const servers: [string, () => Promise<SdkHttpServer>][] = [
  ['SDK 1.x with streams', () => startV1()],
  ['SDK 1.x with plain answers', () => startV1({ json: true })],
  ['SDK 1.x with the transport of 2024-11-05', startV1Sse],
  ['SDK 2.x of the stateless era', () => startV2('reject')],
  ['SDK 2.x of both eras', () => startV2('stateless')],
];
const clients: [string, Connect][] = [
  ['SDK 1.x', connectV1],
  ['SDK 2.x in the handshake era', connectV2Legacy],
  ['SDK 2.x in the stateless era', connectV2Modern],
];

describe.each(servers)('a server on %s', (serverName, startServer) => {
  it.each(clients)(
    'is listed, called, with progress, asked for prompts and read by a client on %s',
    async (_name, connect) => {
      const server = await startServer();
      const config = { mcpServers: { far: { url: server.url } }, separator: '__' };
      const { command, args, env, dir } = prepareProgram({ config });
      const client = await connect(command, args, env, dir);
      expect((await client.listTools()).map(({ name }) => name)).toEqual(['far__echo', 'far__steps']);
      const answer = await client.callTool('far__echo', { region: 'Zürich' });
      expect(answer.content[0]?.text).toBe('{"region":"Zürich"}');
      const heard: number[] = [];
      const done = await client.callTool('far__steps', {}, { onProgress: ({ progress }) => heard.push(progress) });
      expect(done.content[0]?.text).toBe('done');
      // Plain answers leave no room for anything else.
      expect(heard).toEqual(serverName.includes('plain') ? [] : [1, 2]);

      const { more } = client;
      expect((await more.listPrompts()).prompts.map(({ name }) => name)).toEqual(['far__ask']);
      expect((await more.getPrompt({ name: 'far__ask' })).messages).toMatchObject([{ content: { text: 'asked' } }]);
      expect((await more.listResources()).resources.map(({ uri }) => uri)).toEqual(['far+note://one']);
      const { contents } = await more.readResource({ uri: 'far+note://one' });
      expect(contents).toEqual([{ uri: 'far+note://one', text: 'noted' }]);
    },
  );
});
