/** What must be true when nothing happens any more: nothing is left open, at no end and in between. */
import { RawJson } from '../../../src/base/json/raw-json.ts';
import { checkServers } from '../servers/check-servers.ts';
import { settle } from '../sim-clock.ts';
import { toPublicUri, urisOf } from '../work.ts';
import { parkLimits, type World } from '../world.ts';

/** All limits have passed, and all clients are still there. */
export function checkRest(world: World): void {
  const { judge, clients, fleet, servers, specs } = world;
  const uris = specs.flatMap(({ name }) => urisOf(name).map((uri) => toPublicUri(name, uri)));
  fleet.generations.checkRest();
  servers.checkRest();
  checkServers(world, { isWatching: clients.some((client) => uris.some((uri) => client.isWatching(uri))) });
  for (const left of clients.flatMap((client) => client.leftovers())) judge.fail(`left open: ${left}`);
  for (const { running, server } of fleet.processes)
    if (running) for (const left of server.leftovers().filter(isNoSubscription)) judge.fail(`left open: ${left}`);
}

/** All clients have left, and time has passed. */
export function checkGone({ judge, fleet }: World): void {
  const running = fleet.processes.filter((process) => process.running);
  for (const { server } of running) for (const left of server.leftovers()) judge.fail(`left open: ${left}`);
  for (const spec of new Set(running.map((process) => process.spec))) {
    const own = running.filter((process) => process.spec === spec);
    if (own.length > 1) judge.fail(`${own.map(({ id }) => id).join(', ')} still run, and nobody is there`);
  }
}

/** As many calls can be parked as at the beginning: none was kept. */
export async function checkParked({ judge, parked, clock }: World): Promise<void> {
  if (parked === undefined) return;
  const control = new AbortController();
  let kept = 0;
  for (let index = 0; index < parkLimits.calls; index++) {
    const principal = index < parkLimits.callsPerPrincipal ? 'ann' : 'bob';
    const visit = { capabilities: { roots: {} }, logLevel: undefined, signal: control.signal, notify() {} };
    const turn = parked.begin({ principal, method: 'tools/call', params: {} }, visit, async (call) => {
      await call.ask({ method: 'roots/list', params: {} });
      return { result: RawJson.of({}) };
    });
    void turn.then((ended) => {
      if ('asked' in ended) kept++;
    });
  }
  await clock.advanceTo(clock.now() + 100);
  await settle();
  if (kept !== parkLimits.calls) judge.fail(`${parkLimits.calls - kept} calls are still parked`);
}

/** The Workbench is closed. */
export function checkEnd({ judge, fleet, clock }: World): void {
  for (const process of fleet.processes) if (process.running) judge.fail(`${process.id} still runs`);
  if (clock.pending > 0) judge.fail(`${clock.pending} timers are still set`);
}

function isNoSubscription(left: string): boolean {
  return !left.startsWith('the subscription');
}
