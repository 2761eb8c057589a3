/** Calls on their way to servers; answers come back with their URIs as clients see them. */
import type { Call, CallOutcome } from '../base/call.ts';
import { WorkbenchError } from '../base/errors.ts';
import type { Kind } from '../catalog/kind.ts';
import type { Address } from '../toolbox/toolbox.ts';
import type { Bench, Place } from '../workbench/bench.ts';
import { labelQuestions, withLabelledQuestions } from './label-questions.ts';
import { withPublicUris } from './public-uris.ts';
import { noteLink } from './seen-links.ts';
import { describeFailure, errorResult } from './tool-result.ts';
import { uriMapOf } from './uri-map.ts';

/** To a tool; what fails on the way there is a result that the model can read. */
export async function forwardTool(bench: Bench, address: Address, call: Call): Promise<CallOutcome> {
  try {
    const labelled = withLabelledQuestions(bench, address.server, call);
    const toShown = showUris(bench, address);
    return toPublic(bench, address, { call, outcome: await bench.forward(address, labelled), toShown });
  } catch (error) {
    if (error instanceof WorkbenchError) return errorResult(describeFailure(error, address));
    throw error;
  }
}

/** To a tool or a prompt. */
export async function forwardPublic(
  bench: Bench,
  address: Address,
  call: Call,
  kind: Kind = 'tools',
): Promise<CallOutcome> {
  const labelled = withLabelledQuestions(bench, address.server, call);
  const toShown = showUris(bench, address);
  return toPublic(bench, address, { call, outcome: await bench.forward(address, labelled, kind), toShown });
}

/** To a server. */
export async function sendPublic(bench: Bench, place: Place, call: Call): Promise<CallOutcome> {
  const labelled = withLabelledQuestions(bench, place.server, call);
  const toShown = showUris(bench, place);
  return toPublic(bench, place, { call, outcome: await bench.send(place, labelled), toShown });
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
