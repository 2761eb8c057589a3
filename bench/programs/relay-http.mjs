/** The same over HTTP: `relay-http.mjs PORT` passes every request on to that port, over connections that are kept. */
import { Agent, request as open } from 'node:http';
import { listenForBench } from './listen.mjs';

const port = Number(process.argv[2]);
const agent = new Agent({ keepAlive: true });
listenForBench((request, response) => {
  const { method, url: path, headers } = request;
  const onward = open({ host: '127.0.0.1', port, method, path, headers, agent }, (answer) => {
    response.writeHead(answer.statusCode, answer.headers);
    answer.pipe(response);
  });
  onward.on('error', () => response.destroy());
  request.pipe(onward);
});
