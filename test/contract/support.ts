/** What the contract tests share: the built program over a real pipe, and short ways to ask it. */
import type { JsonObject } from '../../src/base/json/json.ts';
import { type ProgramOptions, startProgram } from '../support/program.ts';
import type { RawClient } from '../support/raw-client.ts';

export interface ToolAnswer {
  readonly isError: boolean;
  /** The text of the first content block. */
  readonly text: string;
  readonly result: JsonObject;
}

export async function startLegacy(options: ProgramOptions): Promise<RawClient> {
  const client = startProgram(options);
  await client.legacyHandshake();
  return client;
}

export async function callTool(client: RawClient, name: string, args?: unknown): Promise<ToolAnswer> {
  const { message } = await client.request('tools/call', {
    name,
    ...(args === undefined ? {} : { arguments: args as JsonObject }),
  });
  return toAnswer(message);
}

export function toAnswer(message: JsonObject): ToolAnswer {
  const result = message.result as JsonObject;
  if (result === undefined) throw new Error(`no result: ${JSON.stringify(message)}`);
  const [block] = result.content as JsonObject[];
  return { isError: result.isError === true, text: String(block?.text), result };
}

export async function listNames(client: RawClient): Promise<string[]> {
  const { message } = await client.request('tools/list');
  return ((message.result as JsonObject).tools as JsonObject[]).map(({ name }) => String(name));
}

export async function callError(client: RawClient, name: string): Promise<{ code: number; message: string }> {
  const { message } = await client.request('tools/call', { name, arguments: {} });
  return message.error as unknown as { code: number; message: string };
}
