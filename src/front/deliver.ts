/** Calls on their way to servers; answers come back with their URIs as clients see them. */
import type { Call, Outcome } from '../base/call.ts';
import type { Kind } from '../catalog/kind.ts';
import type { Address } from '../toolbox/toolbox.ts';
import type { Bench, Place } from '../workbench/bench.ts';
import { withPublicUris } from './public-uris.ts';
import { uriMapOf } from './uri-map.ts';

/** To a tool or a prompt. */
export async function forwardPublic(
  bench: Bench,
  address: Address,
  call: Call,
  kind: Kind = 'tools',
): Promise<Outcome> {
  return toPublic(bench, address, { call, outcome: await bench.forward(address, call, kind) });
}

/** To a server. */
export async function sendPublic(bench: Bench, place: Place, call: Call): Promise<Outcome> {
  return toPublic(bench, place, { call, outcome: await bench.send(place, call) });
}

function toPublic(
  bench: Bench,
  { toolbox, server }: Place,
  { call, outcome }: { call: Call; outcome: Outcome },
): Outcome {
  const key = bench.snapshot.toolboxes.get(toolbox)?.placements.get(server)?.key;
  if ('error' in outcome || key === undefined) return outcome;
  const { wrap } = uriMapOf(bench);
  return { result: withPublicUris(call.method, outcome.result, (uri) => wrap(key, uri)) };
}
