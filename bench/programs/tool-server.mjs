/** The trivial server: `tool-server.mjs TOOLS` on stdio, `tool-server.mjs TOOLS http` on a free port, told as the first line. */
import { createAnswerer } from './tools.mjs';

const [count, transport] = process.argv.slice(2);
const answer = createAnswerer(Number(count));
if (transport === 'http') await serveHttp();
else await serveStdio();

async function serveStdio() {
  const { createLineWriter, readLines } = await import('./lines.mjs');
  const write = createLineWriter(process.stdout);
  readLines(process.stdin, (line) => {
    const text = answer(line.toString('utf8'));
    if (text !== undefined) write(text);
  });
  process.stdin.on('end', () => process.exit());
}

async function serveHttp() {
  const { listenForBench } = await import('./listen.mjs');
  listenForBench((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const text = request.method === 'POST' ? answer(Buffer.concat(chunks).toString('utf8')) : undefined;
      if (text === undefined) {
        response.writeHead(request.method === 'POST' ? 202 : 405).end();
        return;
      }
      const body = Buffer.from(text);
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
    });
  });
}
