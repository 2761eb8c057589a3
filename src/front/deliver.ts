/** Calls on their way to servers; answers come back with their URIs as clients see them. */
import type { Call, CallOutcome } from '../base/call.ts';
import { WorkbenchError } from '../base/errors.ts';
import { Eventual } from '../base/eventual.ts';
import type { RpcError } from '../base/rpc.ts';
import type { Kind } from '../catalog/kind.ts';
import type { Address } from '../toolbox/toolbox.ts';
import type { Bench, Place } from '../workbench/bench.ts';
import { withCorrection } from './correction.ts';
import { labelQuestions, withLabelledQuestions } from './label-questions.ts';
import { withPublicUris } from './public-uris.ts';
import { noteLink } from './seen-links.ts';
import { isForClient, withSignature } from './server-failure.ts';
import { describeFailure, errorResult, isAboutAddress } from './tool-result.ts';
import { uriMapOf } from './uri-map.ts';

export interface Explanations {
  /** The call to make instead, for when nothing stands at the address. */
  correct?(): string | undefined;
  /** An error of the server, as its client is to see it. */
  toError?(error: RpcError): RpcError;
}

/** To a tool; what fails on the way there is a result that the model can read. */
export function forwardTool(
  bench: Bench,
  address: Address,
  call: Call,
  { correct, toError }: Explanations = {},
): Eventual<CallOutcome> {
  const toShown = showUris(bench, address);
  return Eventual.of(bench.forward(address, withLabelledQuestions(bench, address.server, call))).map(
    (outcome) => {
      const shown = withSignature(bench, address, call, toPublic(bench, address, { call, outcome, toShown }));
      const isNamed = toError !== undefined && 'error' in shown && !isForClient(shown.error);
      return isNamed ? { error: toError(shown.error) } : shown;
    },
    (error) => {
      if (!(error instanceof WorkbenchError)) throw error;
      const text = describeFailure(error, address);
      return errorResult(isAboutAddress(error) ? withCorrection(text, correct?.()) : text);
    },
  );
}

/** To a tool or a prompt. */
export function forwardPublic(bench: Bench, address: Address, call: Call, kind: Kind = 'tools'): Eventual<CallOutcome> {
  const toShown = showUris(bench, address);
  const sent = bench.forward(address, withLabelledQuestions(bench, address.server, call), kind);
  return Eventual.of(sent).map((outcome) => toPublic(bench, address, { call, outcome, toShown }));
}

/** To a server. */
export function sendPublic(bench: Bench, place: Place, call: Call): Eventual<CallOutcome> {
  const toShown = showUris(bench, place);
  const sent = bench.send(place, withLabelledQuestions(bench, place.server, call));
  return Eventual.of(sent).map((outcome) => toPublic(bench, place, { call, outcome, toShown }));
}

type ToShown = (uri: string) => string;

function toPublic(
  bench: Bench,
  { server }: Place,
  { call, outcome, toShown }: { call: Call; outcome: CallOutcome; toShown: ToShown | undefined },
): CallOutcome {
  if ('inputRequired' in outcome) return { inputRequired: labelQuestions(bench, server, outcome.inputRequired) };
  if ('error' in outcome || toShown === undefined) return outcome;
  const result = withPublicUris(call.method, outcome.result, toShown);
  return result === outcome.result ? outcome : { ...outcome, result };
}

/** As it is when the call begins: when it ends, its server may be in the configuration no more. */
function showUris(bench: Bench, { toolbox, server }: Place): ToShown | undefined {
  const key = bench.snapshot.toolboxes.get(toolbox)?.placements.get(server)?.key;
  if (key === undefined) return undefined;
  const { wrap } = uriMapOf(bench);
  return (uri) => {
    noteLink(bench, key, uri);
    return wrap(key, uri);
  };
}
