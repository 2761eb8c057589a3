// @module-tag large
import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { configErrors } from '../../../src/base/errors/errors-config.ts';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { openHousehold } from '../../daemon/household.ts';
import { eventually } from '../../support/eventually.ts';
import { prepareProgram, startProgram } from '../../support/program.ts';
import { fixture } from '../../support/servers.ts';
import type { TransportClient } from '../clients/transport-client.ts';
import { connectRawLegacyHttp, connectRawModernHttp, connectRawStdio } from '../clients/transport-raw.ts';
import { token } from '../http-program.ts';
import { type Era, eras } from '../support.ts';
import { fileMistakes, noMistakes, placeMistakes, serverMistakes } from './mistakes.ts';

const modes = ['meta', 'dynamic', 'flat'] as const;
type Mode = (typeof modes)[number];
const ways = ['pipe', 'http', 'attach'] as const;
type Way = (typeof ways)[number];
const cases = ways.flatMap((way) => modes.flatMap((mode) => eras.map((era) => [way, mode, era] as const)));

const right = fixture('raw-legacy');
const wrong = serverMistakes(right).map((mistake, at) => ({ ...mistake, server: mistake.name ?? `wrong${at}` }));
/** By the name that each has in the toolbox. */
const leftOut = [
  ...wrong.map((mistake) => ({ ...mistake, server: mistake.label ?? mistake.server })),
  ...placeMistakes,
];

/** One toolbox of many servers, of which all but some are wrong; `named` are those it has from the top level. */
function toText(mode: Mode, entries: readonly { server: string; entry: string }[], named: readonly string[]): string {
  const servers = entries.map(({ server, entry }) => `${JSON.stringify(server)}: ${entry}`).join(',\n');
  return `{ "mode": "${mode}",
  "mcpServers": { "shared": ${JSON.stringify(right)} },
  "toolboxes": { "box": { "description": "B", "servers": ${JSON.stringify(named)}, "mcpServers": {\n${servers}\n} } } }`;
}

const steady = { server: 'steady', entry: JSON.stringify(right) };
const added = { server: 'added', entry: JSON.stringify(fixture('raw-legacy', { NAME: 'added' })) };
const clean = (mode: Mode) => toText(mode, [steady], ['shared']);
const mistaken = (mode: Mode) =>
  toText(mode, [steady, ...wrong, added], ['shared', ...placeMistakes.map(({ server }) => server)]);

interface Run {
  readonly client: TransportClient;
  readonly configPath: string;
}

async function start(way: Way, era: Era, config: string): Promise<Run> {
  if (way === 'http') {
    const program = startProgram({ config, args: ['serve', '--http=0', '--token', token] });
    const url = await eventually(() => {
      const [, found] = /listens at (http:\S+)/.exec(program.stderr) ?? [];
      if (found === undefined) throw new Error(`does not listen: ${program.stderr.slice(-500)}`);
      return found;
    }, 20_000);
    const connect = era === 'legacy' ? connectRawLegacyHttp : connectRawModernHttp;
    return { client: await connect({ url, token }), configPath: program.configPath };
  }
  if (way === 'attach') {
    const { configPath, env, dir } = openHousehold({ config });
    const { command, args } = prepareProgram();
    const begin = { command, args: [...args, 'attach', '--config', configPath], env, dir };
    return { client: await connectRawStdio(era, begin), configPath };
  }
  const prepared = prepareProgram({ config });
  return { client: await connectRawStdio(era, prepared), configPath: prepared.configPath };
}

/** What a call of a tool of the toolbox says, as text. */
async function callTool(client: TransportClient, mode: Mode, server: string): Promise<string> {
  const args = { text: `hello ${server}` };
  const constant = mode === 'meta' || (mode === 'dynamic' && client.era === 'modern');
  const answer = constant
    ? await client.call('use_tool', { tool: { toolbox: 'box', server, name: 'echo' }, arguments: args })
    : await client.call(mode === 'flat' ? `${server}:echo` : `box__${server}__echo`, args);
  return JSON.stringify(answer.result?.content ?? answer.error);
}

/** A public name with a control character does not fit into a header. */
const callable = (mode: Mode) =>
  leftOut.filter((mistake) => mode !== 'flat' || !('label' in mistake) || mistake.label === undefined);

/** The answer of the server itself; a refusal repeats the arguments too. */
const echoOf = (server: string) => JSON.stringify(JSON.stringify({ text: `hello ${server}` }));

async function expectRightAndWrong(client: TransportClient, mode: Mode): Promise<void> {
  for (const server of ['steady', 'shared', 'added'])
    expect(await callTool(client, mode, server)).toContain(echoOf(server));
  for (const { server, code } of callable(mode)) expect(await callTool(client, mode, server)).toContain(`[${code}]`);
  if (mode === 'flat') return;
  const { result } = await client.call('open_toolbox', { toolbox: 'box' });
  const opened = result?.structuredContent as JsonObject;
  expect(opened.servers_connected).toBe(3);
  const failed = opened.servers_failed as { server: string; reason: string }[];
  expect(failed.map(({ server }) => server).sort()).toEqual(leftOut.map(({ server }) => server).sort());
  for (const { server, code } of leftOut)
    expect(failed.find((each) => each.server === server)?.reason).toContain(`[${code}]`);
}

describe('the kinds of mistakes', () => {
  it('the kinds of mistakes are all that the table of errors has', () => {
    const tried = [...leftOut, ...fileMistakes].map(({ code }) => code);
    expect([...new Set([...tried, ...noMistakes])].sort()).toEqual(Object.keys(configErrors).sort());
  });
});

describe('a file with one mistake of each kind, one in each server,', () => {
  it.each(cases)(
    'a file with one mistake of each kind, one in each server, serves all others and names the wrong ones: over %s, mode %s, %s client',
    async (way, mode, era) => {
      const { client } = await start(way, era, mistaken(mode));
      await expectRightAndWrong(client, mode);
      await client.close();
    },
    60_000,
  );

  it.each(cases)(
    'a file with one mistake of each kind, one in each server, does so too when it comes by a reload: over %s, mode %s, %s client',
    async (way, mode, era) => {
      const { client, configPath } = await start(way, era, clean(mode));
      expect(await callTool(client, mode, 'steady')).toContain(echoOf('steady'));
      writeFileSync(configPath, mistaken(mode));
      await eventually(async () => (await callTool(client, mode, 'added')).includes(echoOf('added')), 20_000);
      await expectRightAndWrong(client, mode);
      await client.close();
    },
    60_000,
  );
});
