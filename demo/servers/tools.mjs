/** Tools as values: `{ name, title, description, inputSchema, annotations, run(arguments) }`; `run` returns text or throws. */
import { RpcError } from './pipe.mjs';

export function toDefinitions(tools) {
  return tools.map(({ run, ...definition }) => definition);
}

/** The content of a `tools/call` result. What a tool cannot do is told to the model, so that it can correct itself. */
export function callTool(tools, params) {
  const tool = tools.find(({ name }) => name === params.name);
  if (tool === undefined) throw new RpcError(-32602, `Unknown tool: ${params.name}`);
  const given = params.arguments ?? {};
  try {
    checkArguments(tool.inputSchema, given);
    return { content: [{ type: 'text', text: tool.run(given) }] };
  } catch (error) {
    return { content: [{ type: 'text', text: error.message }], isError: true };
  }
}

/** As much of JSON Schema as the schemas of the demo use. */
function checkArguments({ properties, required }, given) {
  for (const key of Object.keys(given)) {
    if (!Object.hasOwn(properties, key))
      throw new Error(`Unknown argument "${key}"; known are: ${Object.keys(properties).join(', ')}.`);
  }
  for (const key of required ?? []) {
    if (!Object.hasOwn(given, key)) throw new Error(`The argument "${key}" is missing: ${properties[key].description}`);
  }
  for (const [key, value] of Object.entries(given)) {
    const { type, minLength = 0, minimum = Number.NEGATIVE_INFINITY } = properties[key];
    const fits = type === 'integer' ? Number.isSafeInteger(value) : typeof value === type;
    if (!fits) throw new Error(`The argument "${key}" must be of type ${type}.`);
    if (type === 'string' && value.length < minLength) throw new Error(`The argument "${key}" must not be empty.`);
    if (type === 'integer' && value < minimum) throw new Error(`The argument "${key}" must be at least ${minimum}.`);
  }
}
