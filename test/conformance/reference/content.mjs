/** Bits of content, the prompts and the resources of the reference servers. The suite looks them up by these very names. */
export const image = {
  type: 'image',
  data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  mimeType: 'image/png',
};
export const audio = {
  type: 'audio',
  data: 'UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=',
  mimeType: 'audio/wav',
};
export const text = (value) => ({ type: 'text', text: value });
export const embedded = (uri, value, mimeType = 'text/plain') => ({
  type: 'resource',
  resource: { uri, mimeType, text: value },
});

const says = (...contents) => ({ messages: contents.map((content) => ({ role: 'user', content })) });
const argument = (name) => ({ name, description: `The ${name}`, required: true });

/** By name: what is listed, and what `prompts/get` gives. `ask` is that of the tools. */
export const prompts = new Map([
  ['test_simple_prompt', { arguments: [], get: () => says(text('A simple prompt.')) }],
  [
    'test_prompt_with_arguments',
    {
      arguments: [argument('arg1'), argument('arg2')],
      get: ({ arg1, arg2 }) => says(text(`arg1 is '${arg1}' and arg2 is '${arg2}'.`)),
    },
  ],
  [
    'test_prompt_with_embedded_resource',
    {
      arguments: [argument('resourceUri')],
      get: ({ resourceUri }) => says(embedded(resourceUri, 'The embedded text.'), text('Read the text above.')),
    },
  ],
  ['test_prompt_with_image', { arguments: [], get: () => says(image, text('Look at the image above.')) }],
  [
    'test_input_required_result_prompt',
    {
      arguments: [],
      async get(_args, { ask }) {
        const { user_context } = await ask({ user_context: question('Which context?', { context: 'string' }) });
        return says(text(`In the context of ${user_context.content?.context}.`));
      },
    },
  ],
]);

export function addPrompt(name) {
  prompts.set(name, { arguments: [], get: () => says(text('An added prompt.')) });
}

/** A real change of the list, there and back: what only says it has changed is not announced by everybody. */
export function toggleExtraPrompt() {
  const extra = { arguments: [], get: () => says(text('An extra prompt.')) };
  if (!prompts.delete('test_extra_prompt')) prompts.set('test_extra_prompt', extra);
}

/** A form with one required field or several. */
export function question(message, fields) {
  const properties = Object.fromEntries(Object.entries(fields).map(([name, type]) => [name, { type }]));
  return form(message, { type: 'object', properties, required: Object.keys(fields) });
}

export function form(message, requestedSchema) {
  return { method: 'elicitation/create', params: { mode: 'form', message, requestedSchema } };
}

export const resources = [
  { uri: 'test://static-text', name: 'static-text', mimeType: 'text/plain' },
  { uri: 'test://static-binary', name: 'static-binary', mimeType: 'image/png' },
  { uri: 'test://watched-resource', name: 'watched-resource', mimeType: 'text/plain' },
];
export const resourceTemplates = [
  { uriTemplate: 'test://template/{id}/data', name: 'template', mimeType: 'application/json' },
];

/** What stands at an address, or nothing. */
export function readResource(uri) {
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
  if (id !== undefined) return { uri, mimeType: 'application/json', text: JSON.stringify({ id, templated: true }) };
  const found = resources.find((resource) => resource.uri === uri);
  if (found === undefined) return undefined;
  const { mimeType } = found;
  return mimeType === image.mimeType ? { uri, mimeType, blob: image.data } : { uri, mimeType, text: `At ${uri}.` };
}

/** Completions of `arg1` and of anything else. */
export function complete(start) {
  const values = ['paris', 'park', 'party'].filter((value) => value.startsWith(start));
  return { values, total: values.length, hasMore: false };
}
