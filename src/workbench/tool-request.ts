/** A call made by a program rather than by a client: what it gives, turned into a neutral call. */
import type { Call, Client } from '../base/call.ts';
import type { JsonObject } from '../base/json.ts';
import { notDeclared } from '../base/question.ts';
import { Stop } from '../base/stop.ts';

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

export function toCall(request: ToolRequest): Call {
  return {
    method: 'tools/call',
    params: { arguments: request.arguments ?? {} },
    client: ourselves,
    capabilities: {},
    takesQuestions: false,
    signal: request.signal ?? new Stop(),
    wantsProgress: request.onProgress !== undefined,
    ask: async (question) => ({ error: notDeclared(question) }),
    notify(method, params) {
      if (method === 'notifications/progress') request.onProgress?.(toProgress(params));
    },
  };
}

/** As far as the server's words are usable. */
function toProgress({ progress, total, message }: JsonObject): ToolProgress {
  return {
    progress: typeof progress === 'number' ? progress : 0,
    ...(typeof total === 'number' ? { total } : {}),
    ...(typeof message === 'string' ? { message } : {}),
  };
}
