/** Calls on their way to servers; answers come back with their URIs as clients see them. */
import type { Call, CallOutcome } from '../base/call.ts';
import { WorkbenchError } from '../base/errors.ts';
import { Eventual } from '../base/eventual.ts';
import type { Kind } from '../catalog/kind.ts';
import type { Address } from '../toolbox/toolbox.ts';
import type { Bench, Place } from '../workbench/bench.ts';
import { labelQuestions, withLabelledQuestions } from './label-questions.ts';
import { withPublicUris } from './public-uris.ts';
import { noteLink } from './seen-links.ts';
import { describeFailure, errorResult } from './tool-result.ts';
import { uriMapOf } from './uri-map.ts';

/** To a tool; what fails on the way there is a result that the model can read. */
export function forwardTool(bench: Bench, address: Address, call: Call): Eventual<CallOutcome> {
  const toShown = showUris(bench, address);
  return Eventual.of(bench.forward(address, withLabelledQuestions(bench, address.server, call))).map(
    (outcome) => toPublic(bench, address, { call, outcome, toShown }),
    (error) => {
      if (error instanceof WorkbenchError) return errorResult(describeFailure(error, address));
      throw error;
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
