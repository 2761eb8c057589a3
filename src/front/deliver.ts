/** Calls on their way to servers; answers come back with their URIs as clients see them. */
import type { Call, CallOutcome } from '../base/call.ts';
import type { Kind } from '../catalog/kind.ts';
import type { Address } from '../toolbox/toolbox.ts';
import type { Bench, Place } from '../workbench/bench.ts';
import { labelQuestions, withLabelledQuestions } from './label-questions.ts';
import { withPublicUris } from './public-uris.ts';
import { noteLink } from './seen-links.ts';
import { uriMapOf } from './uri-map.ts';

/** To a tool or a prompt. */
export async function forwardPublic(
  bench: Bench,
  address: Address,
  call: Call,
  kind: Kind = 'tools',
): Promise<CallOutcome> {
  const labelled = withLabelledQuestions(bench, address.server, call);
  return toPublic(bench, address, { call, outcome: await bench.forward(address, labelled, kind) });
}

/** To a server. */
export async function sendPublic(bench: Bench, place: Place, call: Call): Promise<CallOutcome> {
  const labelled = withLabelledQuestions(bench, place.server, call);
  return toPublic(bench, place, { call, outcome: await bench.send(place, labelled) });
}

function toPublic(
  bench: Bench,
  { toolbox, server }: Place,
  { call, outcome }: { call: Call; outcome: CallOutcome },
): CallOutcome {
  if ('inputRequired' in outcome) return { inputRequired: labelQuestions(bench, server, outcome.inputRequired) };
  const key = bench.snapshot.toolboxes.get(toolbox)?.placements.get(server)?.key;
  if ('error' in outcome || key === undefined) return outcome;
  const { wrap } = uriMapOf(bench);
  const toShown = (uri: string) => {
    noteLink(bench, key, uri);
    return wrap(key, uri);
  };
  return { ...outcome, result: withPublicUris(call.method, outcome.result, toShown) };
}
