/**
 * The built program in mode `flat` with two servers, one that is healthy and one that has a fault, and what must hold of it
 * whatever that fault is.
 */
import { performance } from 'node:perf_hooks';
import { afterAll, expect } from 'vitest';
import type { JsonObject } from '../../src/base/json/json.ts';
import { type AskOptions, type Era, type EraClient, startEra } from '../flows/support.ts';
import { eventually } from '../support/eventually.ts';
import { fixture } from '../support/servers.ts';
import { assertOnlyMessages } from '../support/wire-check.ts';
import { findProcesses } from '../wire/leftovers.ts';
import type { Outcome } from './fault.ts';
import { expectFootprint, type Footprint, findFootprint } from './footprint.ts';

export interface TrialOptions {
  /** Of the client. */
  readonly era: Era;
  /**
   * `flat` starts all servers with the program, so that their faults begin at once; `meta` starts each when it is first called,
   * so that one program can stand the faults of many.
   */
  readonly mode: 'flat' | 'meta';
  /** The faulty servers, by name. */
  readonly faulty: Readonly<Record<string, object>>;
  readonly startWaitMs?: number;
}

export interface Strike {
  readonly server: string;
  readonly tool: string;
  readonly args?: JsonObject;
  readonly outcome: Outcome;
}

export interface Trial {
  readonly client: EraClient;
  /** Calls a tool of a faulty server while the neighbour is asked again and again, and judges both. */
  strike(strike: Strike): Promise<void>;
  /** What it takes of the system now. */
  footprint(): Footprint | undefined;
  /** Fails unless it takes no more than before, but for the pipes of so many more servers. */
  expectBack(before: Footprint | undefined, moreServers?: number): Promise<void>;
  /** Ends it and looks for what is left of it. */
  end(): Promise<void>;
}

/** A healthy call takes a few milliseconds. On a busy machine it may take longer, but never as long as a fault does. */
const neighbourLimitMs = 3_000;
const answerLimitMs = 12_000;
const longestText = 500;

export async function startTrial({ era, mode, faulty, startWaitMs = 8_000 }: TrialOptions): Promise<Trial> {
  const config = { mode, startWaitMs, mcpServers: { ...faulty, neighbour: fixture('raw-legacy') } };
  const client = await startEra(era, { config });
  const { dir } = client as unknown as { dir: string };
  const call: CallTool = (server, tool, args, options) =>
    mode === 'flat'
      ? client.call(`${server}:${tool}`, args, options)
      : client.call('use_tool', { tool: { toolbox: server, server, name: tool }, arguments: args }, options);
  // Its own start takes as long as it takes; from then on it must answer at once.
  await eventually(async () => expectNeighbour(await call('neighbour', 'echo', { n: 0 }, {}), 0), 10_000);

  return {
    client,
    async strike({ server, tool, args = {}, outcome }) {
      const from = client.messages.length;
      const options = { id: `strike ${from}`, progressToken: 'token', timeoutMs: answerLimitMs };
      const answered = call(server, tool, args, { ...options, ...(era === 'modern' ? { logLevel: 'info' } : {}) });
      const [answer] = await Promise.all([answered, watchNeighbour(call, answered)]);
      const raw = client.messages.findLast(({ message }) => message === answer)?.raw ?? '';
      judge({ answer, raw, server }, outcome);
      const ids = client.messages
        .slice(from)
        .filter(({ message }) => message.method === undefined)
        .map(({ message }) => JSON.stringify(message.id));
      expect(ids, 'every request is answered once').toEqual([...new Set(ids)]);
    },
    footprint: () => findFootprint(client.pid),
    expectBack: (before, moreServers) => expectFootprint(client.pid, before, moreServers),
    async end() {
      const { code, signal } = await client.close();
      assertOnlyMessages(client.lines);
      expect({ code, signal }).toEqual({ code: 0, signal: null });
      await eventually(() => expect(findProcesses({ dir, pidLog: '' })).toEqual([]), 3_000);
    },
  };
}

type CallTool = (server: string, tool: string, args: JsonObject, options: AskOptions) => Promise<JsonObject>;

/** Asks the neighbour until the answer of the other one is there, and a few times in any case. */
async function watchNeighbour(call: CallTool, until: Promise<unknown>): Promise<void> {
  let over = false;
  const finish = () => {
    over = true;
  };
  until.then(finish, finish);
  for (let n = 1; n <= 3 || !over; n++) {
    const begun = performance.now();
    const answer = await call('neighbour', 'echo', { n }, { timeoutMs: neighbourLimitMs });
    latencies.push({ ms: performance.now() - begun, test: expect.getState().currentTestName ?? '' });
    expectNeighbour(answer, n);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

function expectNeighbour(answer: JsonObject, n: number): void {
  expect(answer).toMatchObject({ result: { content: [{ type: 'text', text: JSON.stringify({ n }) }] } });
}

type Judged = { readonly answer: JsonObject; readonly raw: string; readonly server: string };

function judge({ answer, raw, server }: Judged, outcome: Outcome): void {
  const result = answer.result as JsonObject | undefined;
  const error = answer.error as JsonObject | undefined;
  const [block] = Array.isArray(result?.content) ? (result.content as (JsonObject | null)[]) : [];
  const text = String(error?.message ?? block?.text ?? '');
  const failed = error !== undefined || result?.isError === true;
  if (outcome.kind === 'works') expect(text).toMatch(/^(echo|strike) is honest$/);
  else if (outcome.kind === 'answers') expect(raw.slice(0, 20_000)).toMatch(outcome.words);
  else {
    expect({ failed, text }).toEqual({ failed: true, text: expect.stringMatching(outcome.cause) });
    expect(text).toContain(server);
    expect(text.length).toBeLessThanOrEqual(longestText);
  }
}

const latencies: { readonly ms: number; readonly test: string }[] = [];
afterAll(() => {
  const sorted = latencies.sort((a, b) => a.ms - b.ms);
  const at = (part: number) => (sorted[Math.floor((sorted.length - 1) * part)]?.ms ?? 0).toFixed(1);
  const worst = sorted.at(-1)?.test.split(' > ').slice(-2).join(' ');
  process.stderr.write(
    `neighbour: ${sorted.length} calls, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, worst ${at(1)} ms (${worst})\n`,
  );
});
