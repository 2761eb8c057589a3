/** An HTTP service of the bench: on a free port that it tells on stdout, until its stdin ends. */
import { createServer } from 'node:http';

export function listenForBench(onRequest) {
  const server = createServer({ keepAliveTimeout: 60_000 }, onRequest);
  server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
  process.stdin.resume();
  process.stdin.on('end', () => process.exit());
}
