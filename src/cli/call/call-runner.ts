/**
 * Makes a call of the command line: through the Workbench that already runs, so that its servers keep their state, or through one
 * of our own.
 */

import { untilAborted } from '../../base/async/until-aborted.ts';
import { defined } from '../../base/json/defined.ts';
import { findList, findMember, findString, isObject } from '../../base/json/json.ts';
import {
  type Address,
  type Config,
  type ErrorCode,
  errorTable,
  type JsonObject,
  type ToolRequest,
  type Workbench,
  WorkbenchError,
} from '../../index.ts';
import { findInstance, type Instance } from '../instance/instance.ts';
import { hideSecrets } from '../output/failure.ts';
import { createProgressLine, type ProgressLine } from '../output/progress.ts';
import { hasFailed } from '../output/server-report.ts';
import { type Context, createConfigRedactor, openServers, withWorkbench } from '../run/session.ts';
import { takeView, type View, type ViewQuestion } from '../run/view.ts';
import { createMcpPeer, introduce } from './mcp-peer.ts';

export interface CallRunner {
  readonly progress: ProgressLine;
  /** Secrets of the configuration replaced by their names. */
  hide(text: string): string;
  /** The tools that can be called, after the servers that the question names were started. */
  view(question: ViewQuestion): Promise<View>;
  call(address: Address, request: ToolRequest): Promise<JsonObject>;
}

export async function withCallRunner<T>(
  context: Context,
  config: Config,
  task: (runner: CallRunner) => Promise<T>,
): Promise<T> {
  const { io, args, output } = context;
  const fresh = args.has('fresh');
  const instance = fresh ? undefined : await findInstance(context, config);
  if (instance !== undefined) {
    output.note(`calling through ${instance.name}; --fresh starts the server anew`);
    const progress = createProgressLine(io, args);
    const call: CallRunner['call'] = (address, request) => callThrough(context, instance, { address, request });
    const { hide } = createConfigRedactor(config);
    const running = task({ progress, hide, view: (question) => instance.view(question), call });
    try {
      return await untilAborted(io.signal, running);
    } catch (error) {
      throw hideSecrets(error, hide);
    } finally {
      progress.clear();
    }
  }
  return withWorkbench(context, { config, fresh }, (session) => {
    const { workbench, progress, hide } = session;
    return task({
      progress,
      hide,
      async view(question) {
        await openServers(context, session, question);
        return takeView(workbench, hide);
      },
      call: (address, request) => workbench.call(address, request),
    });
  });
}

interface Through {
  readonly address: Address;
  readonly request: Parameters<Workbench['call']>[1];
}

async function callThrough(context: Context, instance: Instance, { address, request }: Through): Promise<JsonObject> {
  const { io } = context;
  const socket = await instance.connect();
  if (socket === undefined)
    throw new WorkbenchError('WB1913', `${instance.name} does not accept a client in mode meta.`);
  try {
    const peer = createMcpPeer({ input: socket, output: socket, whom: instance.name, toFailure });
    await introduce(peer, { name: 'mcp-workbench call', version: io.library.version });
    const { signal, onProgress } = request;
    const result = await peer.request(
      'tools/call',
      { name: 'use_tool', arguments: { tool: { ...address }, arguments: request.arguments ?? {} } },
      defined({ signal, onProgress }),
    );
    const failure = findOwnFailure(result);
    if (failure === undefined) return result;
    throw (await findServerFailure(instance, address)) ?? failure;
  } finally {
    // The last message, such as a cancellation, is sent first.
    socket.end();
    setTimeout(() => socket.destroy(), 200).unref();
  }
}

/** A protocol error: of the server, or ours, with its code. */
function toFailure(error: JsonObject): WorkbenchError {
  const data = findMember(error, 'data');
  const own = isObject(data) ? findString(data, 'code') : undefined;
  return new WorkbenchError(isErrorCode(own) ? own : 'WB1805', findString(error, 'message') ?? 'The call failed.');
}

function isErrorCode(text: string | undefined): text is ErrorCode {
  return text !== undefined && Object.hasOwn(errorTable, text);
}

/** In the form that `src/front/calls/tool-result.ts` writes; a corrected call for a model may follow the code. */
const ownFailure = /^([\s\S]*?) \[(WB\d{4})\](?: Call [\s\S]*)?$/;

/** A result in which the Workbench itself, not the tool, says that the call did not get there. */
function findOwnFailure(result: JsonObject): WorkbenchError | undefined {
  const content = findList(result, 'content');
  const [block] = content;
  if (findMember(result, 'isError') !== true || content.length !== 1 || !isObject(block)) return undefined;
  const [, message = '', code] = ownFailure.exec(findString(block, 'text') ?? '') ?? [];
  return isErrorCode(code) ? new WorkbenchError(code, message) : undefined;
}

/** The state of the server that the call did not reach, in more detail than a model is told. */
async function findServerFailure(
  instance: Instance,
  { toolbox, server }: Address,
): Promise<WorkbenchError | undefined> {
  const { servers } = await instance.view({ start: 'none', servers: [] });
  const status = servers.find((each) => each.name === server && each.toolboxes.includes(toolbox));
  if (status?.failure === undefined || !hasFailed(status)) return undefined;
  const { code, message, fix } = status.failure;
  return new WorkbenchError(code, message, { fix });
}
