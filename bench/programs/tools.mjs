/** What the trivial server of the bench offers, and its answer to one message. Nothing here costs more than it must. */

const words =
  'Finds what was asked for in the place that was named and returns it as text, newest first, at most one page.';
const schema = {
  type: 'object',
  properties: {
    text: { type: 'string', description: 'What to look for, or what to give back.' },
    limit: { type: 'integer', minimum: 1, maximum: 100, default: 20, description: 'How many at most.' },
    path: { type: 'string', description: 'Where to look, relative to the root of the project.' },
    exact: { type: 'boolean', default: false },
  },
};

/** `echo` gives its text back, `blob` a text of so many bytes, `measure` the length of its text; the rest fills the list. */
const working = ['echo', 'blob', 'measure'];

export function createAnswerer(count) {
  const tools = Array.from({ length: count }, (_, at) => ({
    name: working[at] ?? `tool_${String(at).padStart(4, '0')}`,
    description: `${at}. ${words}`,
    inputSchema: schema,
  }));
  const list = JSON.stringify({ tools });
  const blobs = new Map();
  const blob = (bytes) => {
    if (!blobs.has(bytes)) blobs.set(bytes, textResult('x'.repeat(bytes)));
    return blobs.get(bytes);
  };

  const call = ({ name, arguments: given }) => {
    if (name === 'blob') return blob(given.bytes);
    return textResult(name === 'measure' ? String(given.text.length) : (given.text ?? name));
  };
  const results = new Map([
    ['initialize', ({ protocolVersion }) => initializeResult(protocolVersion)],
    ['ping', () => '{}'],
    ['tools/list', () => list],
    ['tools/call', call],
  ]);

  /** The text of the answer, or undefined for what needs none. */
  return (line) => {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) return undefined;
    const head = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},`;
    const result = results.get(method)?.(params ?? {});
    return result === undefined
      ? `${head}"error":{"code":-32601,"message":"Method not found"}}`
      : `${head}"result":${result}}`;
  };
}

function textResult(text) {
  return `{"content":[{"type":"text","text":${JSON.stringify(text)}}]}`;
}

function initializeResult(protocolVersion) {
  return JSON.stringify({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'bench-server', version: '1.0.0' },
  });
}
