/** The 23 steps of a full client, each with what must come of it; where a step does not exist in an era, why. */
import { expect } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import type { ToolResult } from '../../support/sdk-clients.ts';
import type { Era } from '../support.ts';
import type { FullClient } from './full-client.ts';

export interface Step {
  readonly name: string;
  /** Why a client of this era cannot do it. */
  readonly notFor?: Partial<Record<Era, string>>;
  run(client: FullClient): Promise<void>;
}

const textOf = ({ content }: ToolResult) => content.map(({ text }) => text ?? '').join('\n');
const say = async (client: FullClient, tool: string, args = {}) => textOf(await client.call(tool, args));

export const steps: readonly Step[] = [
  {
    name: 'lists the tools',
    async run(client) {
      const names = (await client.listTools()).map(({ name }) => name);
      expect(names).toEqual(expect.arrayContaining(['test_simple_text', 'test_sampling', 'test_wait']));
    },
  },
  { name: 'pings', notFor: { modern: 'the revision has no ping' }, run: (client) => client.ping() },
  {
    name: 'calls a tool',
    run: async (client) => expect(await say(client, 'test_simple_text')).toContain('simple text'),
  },
  {
    name: 'gets content of several kinds',
    async run(client) {
      const { content } = await client.call('test_multiple_content_types');
      expect(content.map(({ type }) => type)).toEqual(['text', 'image', 'resource']);
    },
  },
  {
    name: 'is told when a tool fails',
    run: async (client) => expect(await client.call('test_error_handling')).toMatchObject({ isError: true }),
  },
  {
    name: 'hears how far a call is',
    async run(client) {
      const heard: number[] = [];
      await client.call('test_tool_with_progress', {}, { onProgress: (progress) => heard.push(progress) });
      // The SDKs lose what comes together with the answer.
      expect(heard.slice(0, 2)).toEqual([0, 50]);
    },
  },
  {
    name: 'hears the log messages of its call',
    async run(client) {
      const before = client.logs.length;
      await client.call('test_tool_with_logging', {}, { logLevel: 'debug' });
      const heard = () => client.logs.slice(before).map(({ data }) => data);
      await eventually(() => expect(heard()).toEqual(['Tool started', 'Tool at work', 'Tool done']));
    },
  },
  {
    name: 'hears none below its level',
    async run(client) {
      const before = client.logs.length;
      await client.call('test_tool_with_logging', {}, { logLevel: 'error' });
      await client.call('test_simple_text');
      expect(client.logs.slice(before)).toEqual([]);
    },
  },
  {
    name: 'lends its model',
    run: async (client) =>
      expect(await say(client, 'test_sampling', { prompt: 'Say so.' })).toContain(`${client.name} heard Say so.`),
  },
  {
    name: 'fills in a form',
    run: async (client) =>
      expect(await say(client, 'test_elicitation', { message: 'Who?' })).toContain(`"response":"${client.name}"`),
  },
  {
    name: 'declines a form',
    async run(client) {
      client.answerForms('decline');
      expect(await say(client, 'test_elicitation', { message: 'Who?' })).toContain('action=decline');
      client.answerForms('accept');
    },
  },
  {
    name: 'names its roots',
    run: async (client) =>
      expect(await say(client, 'test_input_required_result_list_roots')).toContain(`file:///home/${client.name}`),
  },
  {
    name: 'tells that its roots have changed',
    notFor: { modern: 'the revision has no such message: roots are asked for when they are needed' },
    async run(client) {
      client.roots.push({ uri: `file:///srv/${client.name}`, name: 'more' });
      await client.rootsChanged();
      expect(await say(client, 'test_input_required_result_list_roots')).toContain(`file:///srv/${client.name}`);
    },
  },
  {
    name: 'answers several questions of one call',
    run: async (client) =>
      expect(await say(client, 'test_input_required_result_multiple_inputs')).toBe(
        `${client.name} heard Greet ${client.name}`,
      ),
  },
  {
    name: 'answers one question after the other',
    run: async (client) =>
      expect(await say(client, 'test_input_required_result_multi_round')).toBe(`${client.name} likes blue`),
  },
  {
    name: 'lends its model to three calls at once, each its own words',
    async run(client) {
      const words = ['one', 'two', 'three'];
      const heard = await Promise.all(words.map((prompt) => say(client, 'test_sampling', { prompt })));
      expect(heard).toEqual(words.map((word) => `LLM response: ${client.name} heard ${word}`));
    },
  },
  {
    name: 'gets a prompt',
    async run({ more }) {
      const { prompts } = await more.listPrompts();
      expect(prompts.map(({ name }) => name)).toContain('test_prompt_with_arguments');
      const prompt = { name: 'test_prompt_with_arguments', arguments: { arg1: 'a', arg2: 'b' } };
      expect(JSON.stringify((await more.getPrompt(prompt)).messages)).toContain("arg1 is 'a' and arg2 is 'b'");
    },
  },
  {
    name: 'has an argument completed',
    async run({ more }) {
      const ref = { type: 'ref/prompt' as const, name: 'test_prompt_with_arguments' };
      const { completion } = await more.complete({ ref, argument: { name: 'arg1', value: 'par' } });
      expect(completion.values).toEqual(['paris', 'park', 'party']);
    },
  },
  {
    name: 'reads resources, listed and by a template',
    async run({ more }) {
      const { resources } = await more.listResources();
      expect(resources.map(({ uri }) => uri)).toContain('test://static-text');
      for (const uri of ['test://static-text', 'test://template/7/data'])
        expect((await more.readResource({ uri })).contents).toMatchObject([{ uri }]);
    },
  },
  {
    name: 'hears that there is a new tool, sees it and calls it',
    async run(client) {
      await client.hearChanges();
      const before = client.changes.tools;
      const name = `tool_of_${client.name}`;
      await client.call('test_add_tool', { name });
      await eventually(() => expect(client.changes.tools).toBeGreaterThan(before));
      await eventually(async () => expect((await client.listTools()).map((tool) => tool.name)).toContain(name));
      expect(await say(client, name)).toBe('I was here.');
    },
  },
  {
    name: 'hears that there is a new prompt, and gets it',
    async run(client) {
      const before = client.changes.prompts;
      const name = `prompt_of_${client.name}`;
      await client.call('test_add_prompt', { name });
      await eventually(() => expect(client.changes.prompts).toBeGreaterThan(before));
      const get = async () => JSON.stringify((await client.more.getPrompt({ name })).messages);
      // It may have heard of that of another client first.
      await eventually(async () => expect(await get()).toContain('An added prompt.'));
    },
  },
  {
    name: 'hears that a resource it watches has changed',
    async run(client) {
      const uri = 'test://watched-resource';
      await client.watch(uri);
      await client.call('test_update_resource', { uri });
      await eventually(() => expect(client.updated).toContain(uri));
    },
  },
  {
    name: 'cancels a call, and the server is told',
    async run(client) {
      const gone = new AbortController();
      const before = Number(await say(client, 'test_cancelled'));
      const call = client.call('test_wait', {}, { signal: gone.signal });
      // Answered after that call was sent, so the server has it.
      await client.call('test_simple_text');
      gone.abort();
      await expect(call).rejects.toThrow();
      await eventually(async () => expect(Number(await say(client, 'test_cancelled'))).toBeGreaterThan(before));
    },
  },
];
