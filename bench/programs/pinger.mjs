/**
 * `pinger.mjs URL` is a client of its own, in a process of its own: for every line with a number on stdin it sends pings for
 * so many milliseconds, and tells how long each took as a line of JSON.
 */
import { createHttpClient, handshake } from '../client.mjs';
import { pingFor } from '../ping.mjs';
import { readLines } from './lines.mjs';

const client = createHttpClient(process.argv[2], { sockets: 1 });
await handshake(client);
readLines(process.stdin, async (line) => {
  const times = await pingFor(client, Number(line.toString('utf8')));
  process.stdout.write(`${JSON.stringify(times)}\n`);
});
process.stdin.on('end', async () => {
  await client.close();
  process.exit();
});
