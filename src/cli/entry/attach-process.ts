/** The real process around the shim: streams, signals and the exit, as `start.ts` has them for the whole program. */
import { type Attached, attach } from '../../daemon/attach.ts';
import { version } from '../../version.ts';
import { isReloadSignal } from '../service/sighup.ts';
import type { QuickLine } from './quick-line.ts';

/** Does not return when the client was served. */
export async function attachProcess(quick: QuickLine, file: string): Promise<Exclude<Attached, { code: number }>> {
  const { config, quiet, ...wishes } = quick;
  const { stdin, stdout, stderr } = process;
  const stopper = new AbortController();
  const hangUps = new Set<() => void>();
  const tty = { stdin: stdin.isTTY === true, stdout: stdout.isTTY === true, stderr: stderr.isTTY === true };
  const listeners = {
    SIGINT: () => (stopper.signal.aborted ? process.exit(130) : stopper.abort('SIGINT')),
    SIGTERM: () => stopper.abort('SIGTERM'),
    SIGHUP() {
      if (hangUps.size === 0 || !isReloadSignal(process.platform, tty)) stopper.abort('SIGTERM');
      else for (const listener of hangUps) listener();
    },
  };
  const onClosed = () => stopper.abort('closed');
  for (const [name, listener] of Object.entries(listeners)) process.on(name, listener);
  stdout.on('error', onClosed);
  stderr.on('error', ignore);

  const attached = await attach({
    config,
    wishes,
    input: stdin,
    output: stdout,
    note: (text) => void (quiet || stderr.write(`${text}\n`)),
    complain: (text) => void stderr.write(`${text}\n`),
    env: process.env,
    cwd: process.cwd(),
    program: { node: process.execPath, file, version },
    signal: stopper.signal,
    onHangUp(listener) {
      hangUps.add(listener);
      return () => hangUps.delete(listener);
    },
  });
  if (attached !== 'serve-instead') process.exit(attached.code);
  for (const [name, listener] of Object.entries(listeners)) process.off(name, listener);
  stdout.off('error', onClosed);
  stderr.off('error', ignore);
  return attached;
}

function ignore(): void {}
