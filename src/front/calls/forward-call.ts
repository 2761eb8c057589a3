/** Calls on their way to servers; answers come back with their URIs as clients see them. */
import type { Call, CallOutcome } from '../../base/call/call.ts';
import { WorkbenchError } from '../../base/errors/errors.ts';
import type { JsonObject } from '../../base/json/json.ts';
import { type RpcError, rpcCode, rpcError } from '../../base/rpc/rpc.ts';
import type { Kind } from '../../catalog/kind.ts';
import type { Placement } from '../../config/model/config.ts';
import type { Address, Entry } from '../../toolbox/toolbox.ts';
import { getRoute } from '../../workbench/calls/route.ts';
import type { ServerPlace, WorkbenchView } from '../../workbench/view/workbench-view.ts';
import type { SessionContext } from '../front.ts';
import { uriMapOf, withPublicUris } from '../uris/public-uris.ts';
import { withCorrection } from './correction.ts';
import { labelQuestions, withLabelledQuestions } from './label-questions.ts';
import { fitOutcome } from './long-results.ts';
import { isForClient, withSignature } from './server-failure.ts';
import { describeFailure, errorResult, isAboutAddress } from './tool-result.ts';

export interface Explanations {
  /** The call to make instead, when nothing exists at the address. */
  correct?(): string | undefined | Promise<string | undefined>;
  /** What a model needs to know about a tool that it called wrongly; its signature by default. */
  describe?(entry: Entry): string;
  /** An error of the server, as its client should see it. */
  toOutcome?(error: RpcError): CallOutcome;
  /** Why the call did not get to its tool. */
  toText?(error: WorkbenchError): string;
}

/** Calls a tool; a failure on the way there becomes a result that the model can read. */
export function callTool(
  context: SessionContext,
  address: Address,
  call: Call,
  { correct, describe, toOutcome, toText }: Explanations = {},
): Promise<CallOutcome> {
  const { bench } = context;
  const { toShown, asker } = findRouted(context, address, call);
  return bench.forward(address, withLabelledQuestions(bench, asker, call)).then(
    (outcome) => {
      const shown = withSignature(
        bench,
        address,
        { call, describe },
        toPublic(bench, address, { call, outcome, toShown }),
      );
      const isNamed = toOutcome !== undefined && 'error' in shown && !isForClient(shown.error);
      return isNamed ? toOutcome(shown.error) : fitOutcome(bench, address, call, shown);
    },
    async (error: unknown) => {
      if (!(error instanceof WorkbenchError)) throw error;
      const text = toText?.(error) ?? describeFailure(error, address);
      return errorResult(isAboutAddress(error) ? withCorrection(text, await correct?.()) : text);
    },
  );
}

/** Calls an entry of this kind, or a server directly; a failure on the way there becomes a protocol error. */
export function callEntry(
  context: SessionContext,
  to: ServerPlace | Address,
  call: Call,
  kind?: Kind,
): Promise<CallOutcome> {
  const { bench } = context;
  const { toShown } = findRouted(context, to, call);
  const labelled = withLabelledQuestions(bench, to.server, call);
  const sent = kind !== undefined && 'name' in to ? bench.forward(to, labelled, kind) : bench.send(to, labelled);
  return sent.then(
    (outcome) => toPublic(bench, to, { call, outcome, toShown }),
    (error: unknown) => {
      if (!(error instanceof WorkbenchError)) throw error;
      // The entry existed at the lookup: the server has just removed it.
      const code = error.code === 'WB1803' ? rpcCode.invalidParams : rpcCode.serverFailed;
      return { error: rpcError(code, describeFailure(error, to), { code: error.code }) };
    },
  );
}

type ToShown = (uri: string) => string;

function toPublic(
  bench: WorkbenchView,
  { server }: ServerPlace,
  { call, outcome, toShown }: { call: Call; outcome: CallOutcome; toShown: ToShown | undefined },
): CallOutcome {
  if ('inputRequired' in outcome) return { inputRequired: labelQuestions(bench, server, outcome.inputRequired) };
  if ('error' in outcome || toShown === undefined) return outcome;
  const result = withPublicUris(call.method, outcome.result, toShown);
  return result === outcome.result ? outcome : { ...outcome, result };
}

/** Taken when the call begins: at its end the server may have left the configuration. */
function findRouted(
  { bench, links }: SessionContext,
  to: ServerPlace | Address,
  { params }: Call,
): { readonly toShown: ToShown | undefined; readonly asker: string } {
  const placement = findPlacement(bench, to, params);
  if (placement === undefined) return { toShown: undefined, asker: to.server };
  const { wrap } = uriMapOf(bench);
  const { key, server } = placement;
  const toShown = (uri: string) => {
    links.note(key, uri);
    return wrap(key, uri);
  };
  return { toShown, asker: server };
}

/** The place of the server that gets the call; undefined when the call cannot get there. */
function findPlacement(
  { snapshot }: WorkbenchView,
  to: ServerPlace | Address,
  params: JsonObject,
): Placement | undefined {
  const toolbox = snapshot.toolboxes.get(to.toolbox);
  if (!toolbox?.groups.has(to.server)) return toolbox?.placements.get(to.server);
  try {
    return getRoute(snapshot, to, params);
  } catch {
    return undefined;
  }
}
