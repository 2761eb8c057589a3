// @module-tag chance
import { PassThrough, Writable } from 'node:stream';
import { describe, expect as expectThat, it } from 'vitest';
import type { JsonObject } from '../../src/base/json/json.ts';
import { silentLog } from '../../src/base/text/log.ts';
import type { Mode } from '../../src/config/model/config.ts';
import { parseConfigValue } from '../../src/config/read/parse.ts';
import { createFront } from '../../src/front/create-front.ts';
import type { Front } from '../../src/front/front.ts';
import { serveFrontStdio } from '../../src/serve/stdio.ts';
import { Workbench } from '../../src/workbench/workbench.ts';
import { type Era, eras } from '../flows/support.ts';
import { createFakeFront } from '../serve/http/support.ts';
import { findFault } from '../support/wire-check.ts';
import { createClientGrammar } from './client-grammar.ts';
import { expect, findProblems, linesOf } from './expected.ts';
import { createRandom, messages, type Random, seed } from './random.ts';
import { show, shrink } from './shrink.ts';

const maxMessageBytes = 100_000;
const together = 100;
const limitMs = 5_000;

/** A client over pipes that sends bytes and says what is wrong with what comes back. */
function startClient(front: Front, era: Era) {
  const input = new PassThrough();
  let text = '';
  let thrown: unknown;
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString('utf8');
      done();
    },
  });
  const service = serveFrontStdio({
    ...{ front, input, output, maxMessageBytes, log: silentLog },
    identity: { name: 'workbench', version: '1' },
  });
  let asked = 0;
  let begun = era === 'modern';
  const begin = async () => {
    input.write('{"jsonrpc":"2.0","id":"begin","method":"initialize","params":{"protocolVersion":"2025-06-18"}}\n');
    while (text === '') await new Promise((resolve) => setImmediate(resolve));
    begun = true;
  };

  return {
    close: () => service.close(),
    async send(parts: readonly Buffer[], random: Random): Promise<string[]> {
      if (!begun) await begin();
      text = '';
      const last = `end ${++asked}`;
      const bytes = Buffer.concat([...parts.flatMap((part) => [part, newline]), Buffer.from(ending(last))]);
      const expected = expect(linesOf(bytes), maxMessageBytes);
      try {
        for (let at = 0; at < bytes.length; ) {
          const size = 1 + random.int(random.oneIn(4) ? 40 : 20_000);
          input.write(bytes.subarray(at, at + size));
          at += size;
        }
      } catch (error) {
        thrown = error;
      }
      const until = Date.now() + limitMs;
      let problems = ['nothing came'];
      // What is wrong may only be late; what was answered too often will not get better.
      while (problems.length > 0 && Date.now() < until) {
        await new Promise((resolve) => setImmediate(resolve));
        problems = findProblems(expected, toMessages(text));
        if (text.includes(`"${last}"`) && problems.length > 0) {
          for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
          problems = findProblems(expected, toMessages(text));
          if (problems.length > 0 && Date.now() < until - limitMs + 200) continue;
          break;
        }
      }
      const foreign = text.split('\n').slice(0, -1).flatMap(findForeign);
      return [...(thrown === undefined ? [] : [`it threw ${thrown}`]), ...foreign, ...problems];
    },
  };
}

const newline = Buffer.from('\n');
const ending = (id: string) => `${JSON.stringify({ jsonrpc: '2.0', id, method: 'ping', params: {} })}\n`;

/** Bytes that are no message; a batch has some in it. */
function findForeign(line: string): string[] {
  const parts = line.startsWith('[') ? (JSON.parse(line) as JsonObject[]).map((part) => JSON.stringify(part)) : [line];
  return parts.flatMap((part) => {
    const fault = findFault(part);
    return fault === undefined ? [] : [`a line that ${fault}: ${part.slice(0, 200)}`];
  });
}

function toMessages(text: string): JsonObject[] {
  const lines = text.split('\n').slice(0, -1);
  return lines.flatMap((line) => JSON.parse(line) as JsonObject | JsonObject[]) as JsonObject[];
}

function frontOf(mode: Mode): Front {
  const config = parseConfigValue(
    { mode, mcpServers: { good: { command: 'node', disabled: true } } },
    { dir: '/', env: {} },
  );
  return createFront(new Workbench({ config, identity: { name: 'workbench', version: '1' } }));
}

const rows = [
  ...eras.map((era) => ({ era, mode: 'that echoes', count: messages, front: () => createFakeFront() as Front })),
  ...eras.flatMap((era) =>
    (['flat', 'meta', 'dynamic'] as const).map((mode) => ({
      era,
      mode,
      count: messages / 5,
      front: () => frontOf(mode),
    })),
  ),
];

describe('whatever a client sends over a pipe', () => {
  it.each(rows)(
    'is answered as it must be, $era, front $mode',
    async ({ era, mode, count, front }) => {
      const random = createRandom(seed);
      const grammar = createClientGrammar(random, era);
      const client = startClient(front(), era);
      for (let sent = 0; sent < count; sent += together) {
        const parts = Array.from({ length: together }, () => grammar.next());
        const problems = await client.send(parts, random);
        if (problems.length === 0) continue;
        const fails = async (some: readonly Buffer[]) => {
          const fresh = startClient(front(), era);
          const found = await fresh.send(some, createRandom(seed));
          fresh.close();
          return found.length > 0;
        };
        const smallest = (await fails(parts)) ? await shrink(parts, fails) : parts;
        expectThat.fail(`seed ${seed}, messages ${sent}+: ${problems.slice(0, 5).join('; ')}\n${show(smallest)}`);
      }
      client.close();
      process.stderr.write(`generator: ${count} messages to stdio (${era}, front ${mode}), seed ${seed}\n`);
    },
    60_000,
  );
});
