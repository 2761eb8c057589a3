/** A call made by a program rather than by a client: turns its request into a neutral call, and returns the result. */

import { CancelToken } from '../../base/async/cancel-token.ts';
import type { Call, CallOutcome, Client } from '../../base/call/call.ts';
import { notDeclared } from '../../base/call/question.ts';
import { Busy } from '../../base/errors/busy.ts';
import { WorkbenchError } from '../../base/errors/errors.ts';
import type { JsonObject } from '../../base/json/json.ts';
import { rpcCode, rpcError } from '../../base/rpc/rpc.ts';
import { quote } from '../../base/text/error-text.ts';
import type { Address } from '../../toolbox/toolbox.ts';

export interface ToolRequest {
  readonly arguments?: JsonObject;
  readonly signal?: AbortSignal;
  onProgress?(progress: ToolProgress): void;
}

export interface ToolProgress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

const ourselves: Client = { name: 'mcp-workbench', principal: '' };

export function toToolCall(request: ToolRequest): Call {
  return {
    method: 'tools/call',
    params: { arguments: request.arguments ?? {} },
    client: ourselves,
    features: { capabilities: {}, takesQuestions: false, opensUrls: false, logLevel: undefined },
    resume: undefined,
    task: undefined,
    signal: request.signal ?? new CancelToken(),
    wantsProgress: request.onProgress !== undefined,
    ask: async (question) => ({ error: notDeclared(question) }),
    notify(method, params) {
      if (method === 'notifications/progress') request.onProgress?.(toProgress(params));
    },
  };
}

/** The result as the server gave it; any other outcome is thrown. */
export async function getResult({ name, server }: Address, pending: Promise<CallOutcome>): Promise<JsonObject> {
  const outcome = await pending.then(undefined, (error: unknown) => {
    throw error instanceof Busy ? new WorkbenchError('WB1019', error.message, { cause: error }) : error;
  });
  if ('result' in outcome) return outcome.result.value;
  const { code, message } = 'error' in outcome ? outcome.error : unanswerable;
  throw new WorkbenchError('WB1805', `Tool ${quote(name)} of server '${server}' failed: ${message} (${code})`);
}

/** A program cannot answer questions; when a server asks anyway, the call ends. */
const unanswerable = rpcError(rpcCode.internal, 'The tool asks for input, and a program cannot give it.');

/** Takes the members that have the right type. */
function toProgress({ progress, total, message }: JsonObject): ToolProgress {
  return {
    progress: typeof progress === 'number' ? progress : 0,
    ...(typeof total === 'number' ? { total } : {}),
    ...(typeof message === 'string' ? { message } : {}),
  };
}
