// @module-tag long
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { tempDir } from '../../support/processes.ts';
import type { ToolResult } from '../../support/sdk-clients.ts';
import { reference } from '../../support/servers.ts';
import { openAttach, openHttp } from '../doors.ts';
import { connectLegacy, connectModern, type FullClient } from './full-client.ts';

const doors = [
  ['HTTP', openHttp],
  ['attach', openAttach],
] as const;
const clients = [
  ['SDK v1', connectLegacy],
  ['SDK v2 in the stateless era', connectModern],
] as const;
const textOf = ({ content }: ToolResult) => content.map(({ text }) => text ?? '').join('\n');
const say = async (client: FullClient, tool: string, args = {}) => textOf(await client.call(tool, args));

describe.each(doors)('through %s', (_door, openDoor) => {
  describe.each(clients)('a client on %s', (_client, connect) => {
    it('gives the filesystem server its roots, which then allows what is in them, and nothing of another client', async () => {
      const dirs = [tempDir(), tempDir()];
      for (const [at, dir] of dirs.entries()) writeFileSync(join(dir, 'note.txt'), `of ${at}`);
      const door = await openDoor({ mcpServers: { files: { ...reference('filesystem'), prefix: false } } });
      const [ann, bob] = await Promise.all(['ann', 'bob'].map((name) => connect(door(), name)));
      if (ann === undefined || bob === undefined) throw new Error('two clients');
      for (const [at, client] of [ann, bob].entries())
        client.roots.splice(0, 1, { uri: pathToFileURL(dirs[at] ?? '').href, name: 'own' });
      // What the server wants to know at its beginning is asked for when it is used.
      for (const [at, client] of [ann, bob].entries()) {
        const [own, others] = at === 0 ? [dirs[0], dirs[1]] : [dirs[1], dirs[0]];
        expect(await say(client, 'read_text_file', { path: join(own ?? '', 'note.txt') })).toContain(`of ${at}`);
        expect(await say(client, 'read_text_file', { path: join(others ?? '', 'note.txt') })).toContain('denied');
      }
      if (ann.era === 'modern') return;
      const more = join(dirs[0] ?? '', '../..', 'more');
      mkdirSync(more, { recursive: true });
      ann.roots.push({ uri: pathToFileURL(more).href, name: 'more' });
      await ann.rootsChanged();
      await eventually(async () => expect(await say(ann, 'list_allowed_directories')).toContain('more'));
    }, 60_000);

    it('is asked by the everything server for words, a form and its roots, and hears its log', async () => {
      const every = { ...reference('everything', 'stdio'), prefix: false };
      const door = await openDoor({ mcpServers: { every } });
      const client = await connect(door(), 'ann');
      expect(await say(client, 'trigger-sampling-request', { prompt: 'Say something.', maxTokens: 10 })).toContain(
        'ann heard',
      );
      expect(await say(client, 'trigger-elicitation-request')).toContain('- Name: ann');
      expect(await say(client, 'get-roots-list')).toContain('file:///home/ann');
      await client.call('toggle-simulated-logging', {}, { logLevel: 'debug' });
      if (client.era === 'legacy') await eventually(() => expect(client.logs).not.toEqual([]), 15_000);
      else {
        // It is told something only while a call is open, and this server logs every five seconds.
        await client.call('trigger-long-running-operation', { duration: 6, steps: 2 }, { logLevel: 'debug' });
        expect(client.logs).not.toEqual([]);
      }
    }, 60_000);
  });
});
