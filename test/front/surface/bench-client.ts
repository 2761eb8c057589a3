/** A workbench in this process, and clients of both eras at pipes of their own. */
import { PassThrough } from 'node:stream';
import { onTestFinished } from 'vitest';
import { isObject, type JsonObject } from '../../../src/base/json/json.ts';
import {
  createWorkbench,
  parseConfigValue,
  type ServeOptions,
  serveStdio,
  type Workbench,
} from '../../../src/index.ts';
import { withEnvelope } from '../../support/envelope.ts';
import { eventually } from '../../support/eventually.ts';
import { fixture } from '../../support/servers.ts';

/** A server with this many tools. */
export function toolServer(count: number, options: Readonly<Record<string, string | number>> = {}) {
  return fixture('raw-legacy', { TOOLS: 'echo', TOOL_COUNT: count - 1, ...options });
}

export function openBench(file: object, more: { readonly stateDir?: string } = {}): Workbench {
  const config = parseConfigValue(file as Parameters<typeof parseConfigValue>[0], { dir: '/', env: {} });
  const workbench = createWorkbench({ config, ...more });
  workbench.admit('many');
  onTestFinished(() => workbench.close());
  return workbench;
}

export interface BenchClient {
  /** Everything that was said to it. */
  readonly heard: JsonObject[];
  ask(method: string, params?: JsonObject): Promise<JsonObject>;
  names(): Promise<string[]>;
  tools(): Promise<JsonObject[]>;
}

export interface HandshakeClient extends BenchClient {
  readonly instructions: string;
}

type Pipe = Pick<ServeOptions, 'client' | 'mode'>;

/** A client of the handshake era. */
export async function connect(
  workbench: Workbench,
  initialize: JsonObject,
  options: Pipe = {},
): Promise<HandshakeClient> {
  const client = openPipe(workbench, options, (params) => params);
  const result = await client.ask('initialize', initialize);
  return { ...client, instructions: String(result.instructions) };
}

/** A client of the stateless era; `name` is what it calls itself with each request. */
export function connectModern(workbench: Workbench, name: string, options: Pipe = {}): BenchClient {
  return openPipe(workbench, options, (params) => {
    const dressed = withEnvelope(params, {});
    const meta = dressed._meta as JsonObject;
    return { ...dressed, _meta: { ...meta, 'io.modelcontextprotocol/clientInfo': { name, version: '1' } } };
  });
}

function openPipe(workbench: Workbench, options: Pipe, dress: (params: JsonObject) => JsonObject): BenchClient {
  const [input, output] = [new PassThrough(), new PassThrough({ encoding: 'utf8' })];
  const service = serveStdio({ workbench, input, output, ...options });
  onTestFinished(() => service.close());
  const heard: JsonObject[] = [];
  let rest = '';
  output.on('data', (text: string) => {
    const lines = `${rest}${text}`.split('\n');
    rest = lines.pop() ?? '';
    heard.push(...lines.map((line) => JSON.parse(line) as JsonObject));
  });
  let last = 0;
  const ask = async (method: string, params: JsonObject = {}): Promise<JsonObject> => {
    const id = ++last;
    input.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params: dress(params) })}\n`);
    const { result } = await eventually(() => {
      const found = heard.find((message) => message.id === id);
      if (found === undefined) throw new Error(`no answer to ${method}`);
      return found;
    }, 20_000);
    if (!isObject(result)) throw new Error(JSON.stringify(heard.find((message) => message.id === id)));
    return result;
  };
  const tools = async () => (await ask('tools/list')).tools as JsonObject[];
  return { heard, ask, tools, names: async () => (await tools()).map(({ name }) => String(name)) };
}
