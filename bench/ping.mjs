/** Pings, one after the other with a pause between, for so long; and how long each took. */
import { setTimeout as pause } from 'node:timers/promises';

const everyMs = 5;

export async function pingFor(client, ms) {
  const times = [];
  const until = performance.now() + ms;
  while (performance.now() < until) {
    const sent = performance.now();
    await client.request('ping', '{}');
    times.push(performance.now() - sent);
    await pause(everyMs);
  }
  return times;
}
