/**
 * The tools of the reference servers, once for both eras. A tool gets its arguments and a hand:
 *   ask(requests)  sends requests to the client and gives their answers, by the same keys
 *   capabilities() what the client can do
 *   log(text), progress(done), closeStream(), changed(kind), updated(uri), signal
 * How an era asks is its server's matter: one pushes requests, the other answers `input_required` and runs the tool again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { addPrompt, audio, embedded, form, image, question, text, toggleExtraPrompt } from './content.mjs';
import { choices, defaults, rich } from './schemas.mjs';

const result = (...content) => ({ content });
const empty = { type: 'object', properties: {} };
const taking = (name) => ({ type: 'object', properties: { [name]: { type: 'string' } }, required: [name] });
const sample = (words) => ({
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: text(words) }], maxTokens: 100 },
});
const roots = { method: 'roots/list', params: {} };
const confirm = question('Please confirm', { ok: 'boolean' });
const name = question('What is your name?', { name: 'string' });
const told = (answer) => result(text(`action=${answer.action}, content=${JSON.stringify(answer.content ?? {})}`));

/** One that comes and goes, so that the list of tools can change. */
let isExtraThere = false;
/** Those that clients have added. */
const added = new Set();
let count = 0;
let cancelled = 0;
const extra = { description: 'Comes and goes', inputSchema: empty, run: () => result(text('I was here.')) };

const all = {
  test_simple_text: () => result(text('This is a simple text response for testing.')),
  test_image_content: () => result(image),
  test_audio_content: () => result(audio),
  test_embedded_resource: () => result(embedded('test://embedded-resource', 'An embedded text.')),
  test_multiple_content_types: () =>
    result(
      text('Several kinds:'),
      image,
      embedded('test://mixed-content-resource', '{"value":123}', 'application/json'),
    ),
  test_error_handling: () => ({ ...result(text('This tool fails on purpose.')), isError: true }),
  async test_tool_with_logging(_args, { log }) {
    for (const step of ['started', 'at work', 'done']) {
      await log(`Tool ${step}`);
      await sleep(30);
    }
    return result(text('Logged three times.'));
  },
  async test_logging_tool(_args, { log }) {
    await log('Only who asked for it hears this');
    return result(text('Logged.'));
  },
  async test_tool_with_progress(_args, { progress }) {
    for (const done of [0, 50, 100]) {
      await progress(done);
      // Clients of the SDKs lose what they read together with the answer, and a busy machine lets them read late.
      await sleep(120);
    }
    return result(text('Progressed.'));
  },
  async test_reconnection(_args, { closeStream }) {
    await closeStream();
    await sleep(100);
    return result(text('Back again.'));
  },
  test_sampling: {
    inputSchema: taking('prompt'),
    async run({ prompt }, { ask }) {
      const { completion } = await ask({ completion: sample(prompt) });
      return result(text(`LLM response: ${completion.content?.text}`));
    },
  },
  test_elicitation: {
    inputSchema: taking('message'),
    run: async ({ message }, { ask }) =>
      told((await ask({ answer: question(message, { response: 'string' }) })).answer),
  },
  test_elicitation_sep1034_defaults: async (_args, { ask }) =>
    told((await ask({ answer: form('Review the fields', defaults) })).answer),
  test_elicitation_sep1330_enums: async (_args, { ask }) =>
    told((await ask({ answer: form('Choose', choices) })).answer),
  test_streaming_elicitation: async (_args, { ask }) => told((await ask({ answer: confirm })).answer),
  json_schema_2020_12_tool: { inputSchema: rich, run: () => result(text('Called.')) },
  test_header_parameter: {
    inputSchema: {
      type: 'object',
      properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
      required: ['region'],
    },
    run: ({ region }) => result(text(`In ${region}.`)),
  },
  test_missing_capability(_args, { capabilities, lacks }) {
    if (capabilities().sampling === undefined) throw lacks({ sampling: {} });
    return result(text('The client can sample.'));
  },
  async test_trigger_tool_change(_args, { changed }) {
    isExtraThere = !isExtraThere;
    await changed('tools');
    return result(text('The list of tools has changed.'));
  },
  async test_trigger_prompt_change(_args, { changed }) {
    toggleExtraPrompt();
    await changed('prompts');
    return result(text('The list of prompts has changed.'));
  },
  test_count: () => result(text(`${++count}`)),
  test_add_tool: {
    inputSchema: taking('name'),
    async run({ name }, { changed }) {
      added.add(name);
      await changed('tools');
      return result(text(`Added ${name}.`));
    },
  },
  test_add_prompt: {
    inputSchema: taking('name'),
    async run({ name }, { changed }) {
      addPrompt(name);
      await changed('prompts');
      return result(text(`Added ${name}.`));
    },
  },
  test_update_resource: {
    inputSchema: taking('uri'),
    async run({ uri }, { updated }) {
      await updated(uri);
      return result(text(`Updated ${uri}.`));
    },
  },
  async test_wait(_args, { signal }) {
    await sleep(60_000, undefined, { signal }).catch(() => cancelled++);
    return result(text('Waited.'));
  },
  test_cancelled: () => result(text(`${cancelled}`)),
  async test_input_required_result_elicitation(_args, { ask }) {
    const { user_name } = await ask({ user_name: name });
    return result(text(`Hello, ${user_name.content?.name}!`));
  },
  async test_input_required_result_sampling(_args, { ask }) {
    const { capital_question } = await ask({ capital_question: sample('What is the capital of France?') });
    return result(text(`${capital_question.content?.text}`));
  },
  async test_input_required_result_list_roots(_args, { ask }) {
    const { client_roots } = await ask({ client_roots: roots });
    return result(text(`Roots: ${client_roots.roots?.map(({ uri }) => uri).join(' ')}`));
  },
  async test_input_required_result_request_state(_args, { ask }) {
    await ask({ confirm });
    return result(text('state-ok'));
  },
  async test_input_required_result_tampered_state(_args, { ask }) {
    await ask({ confirm });
    return result(text('The state is as it was.'));
  },
  async test_input_required_result_multiple_inputs(_args, { ask }) {
    const { user_name, greeting } = await ask({ user_name: name, greeting: sample('Greet'), client_roots: roots });
    return result(text(`${greeting.content?.text} ${user_name.content?.name}`));
  },
  async test_input_required_result_multi_round(_args, { ask }) {
    const { step1 } = await ask({ step1: name });
    const { step2 } = await ask({ step2: question('Which colour?', { color: 'string' }) });
    return result(text(`${step1.content?.name} likes ${step2.content?.color}`));
  },
  async test_input_required_result_capabilities(_args, { ask, capabilities }) {
    const { sampling, elicitation } = capabilities();
    await ask({
      ...(sampling === undefined ? {} : { thought: sample('Think') }),
      ...(elicitation === undefined ? {} : { confirm }),
    });
    return result(text('Asked what could be asked.'));
  },
};

/** The tools as they are now: `[name, { description, inputSchema, run }]`. */
export function listTools() {
  const entries = Object.entries(all).map(([key, tool]) => {
    const { inputSchema = empty, run } = typeof tool === 'function' ? { run: tool } : tool;
    return [key, { description: `For the conformance suite: ${key}`, inputSchema, run }];
  });
  const names = [...added, ...(isExtraThere ? ['test_extra'] : [])];
  return [...entries, ...names.map((name) => [name, extra])];
}
