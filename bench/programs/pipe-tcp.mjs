/** Less than any HTTP program can do: `pipe-tcp.mjs PORT` passes the bytes of every connection on to that port, unread. */
import { connect, createServer } from 'node:net';

const port = Number(process.argv[2]);
const server = createServer({ noDelay: true }, (socket) => {
  const onward = connect({ host: '127.0.0.1', port, noDelay: true });
  for (const each of [socket, onward])
    each.on('error', () => {
      socket.destroy();
      onward.destroy();
    });
  socket.pipe(onward).pipe(socket);
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
process.stdin.resume();
process.stdin.on('end', () => process.exit());
