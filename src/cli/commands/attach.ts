/** `attach`, when the command line needed the whole program to be parsed: the shim, or `serve` where nothing can be shared. */
import { attach as attachClient } from '../../daemon/attach.ts';
import { parseIdleMs } from '../run/idle-ms.ts';
import type { Context } from '../run/session.ts';
import { serve } from './serve.ts';

export async function attach(context: Context): Promise<number> {
  const { io, args, output } = context;
  parseIdleMs(args);
  const wishes = (['mode', 'separator', 'client', 'name', 'version'] as const).flatMap((flag) => {
    const value = args.text(flag);
    return value === undefined ? [] : [[flag, value] as const];
  });
  const attached = await attachClient({
    config: args.text('config'),
    trust: args.has('trust-config'),
    idleMs: args.text('idle-ms'),
    wishes: Object.fromEntries(wishes),
    input: io.stdin,
    output: io.stdout,
    note: output.note,
    complain: (text) => void io.stderr.write(`${text}\n`),
    env: io.env,
    cwd: io.cwd,
    program: { ...io.program, version: io.library.version },
    signal: io.signal,
    onHangUp: io.onHangUp,
  });
  return attached === 'serve-instead' ? serve(context) : attached.code;
}
