/** The least a process between can do: `relay-stdio.mjs COMMAND ARGS…` starts the server and passes bytes both ways. */
import { spawn } from 'node:child_process';

const [command, ...args] = process.argv.slice(2);
// In a session of its own, as every process of the bench; it ends when its input does.
const detached = process.platform !== 'win32';
const server = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'], detached, windowsHide: true });
process.stdin.pipe(server.stdin);
server.stdout.pipe(process.stdout);
server.on('exit', () => process.exit());
