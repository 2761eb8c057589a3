/** One block of calls, one after the other or so many in flight, and how long each took. */
import { median, quantile } from './statistics.mjs';

/** At least so many calls and so long: a short block would measure the moment, not the route. */
export async function runBlock(call, { calls, inFlight = 1, minMs = 0 }) {
  const times = [];
  const start = performance.now();
  let now = start;
  let begun = 0;
  const lane = async () => {
    while (begun < calls || now - start < minMs) {
      begun++;
      const sent = performance.now();
      await call();
      now = performance.now();
      times.push(now - sent);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
  const perSecond = (times.length / (now - start)) * 1_000;
  return { calls: times.length, p50: median(times), p99: quantile(times, 0.99), perSecond };
}
