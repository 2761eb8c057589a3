/** Asks the daemon of a configuration for its status, or to end, from another process. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { openPlace } from '../../daemon/attach.ts';
import { connectDaemon } from '../../daemon/connect-daemon.ts';
import type { DaemonStatus } from '../../daemon/handshake-messages.ts';
import { findConfigFile, WorkbenchError } from '../../index.ts';
import { type Context, loadCommandConfig } from '../run/session.ts';

export interface Asked {
  /** The path of the configuration. */
  readonly config: string;
  /** Undefined: there is no daemon. */
  readonly status: DaemonStatus | undefined;
}

/** `stop` returns when the daemon is gone. */
export async function askDaemon(context: Context, want: 'status' | 'stop'): Promise<Asked> {
  const { io, args } = context;
  const { env, cwd } = io;
  const own = { flag: args.text('config'), trust: args.has('trust-config') };
  const search = { ...own, env, cwd, platform: process.platform, home: homedir(), exists: existsSync };
  // A daemon can be asked even when its file is wrong or missing. Where no file can be meant, loading says so.
  const config = findConfigFile(search) ?? loadCommandConfig(context).path ?? '';
  const ground = openPlace({ env: io.env, config, version: io.library.version });
  if ('why' in ground) throw new WorkbenchError('WB1912', `${ground.why}.`);
  const meeting = await connectDaemon({ address: ground.place.address, secret: ground.secret, want });
  if (meeting.kind === 'absent') return { config, status: undefined };
  if (meeting.kind === 'unusable') throw new WorkbenchError('WB1912', `The daemon cannot be reached: ${meeting.why}.`);
  const { socket, greeting } = meeting;
  if (want === 'status') socket.destroy();
  else
    await new Promise<void>((resolve) =>
      socket
        .once('close', resolve)
        .once('end', () => socket.destroy())
        .resume(),
    );
  const { pid, since, clients, version, log, mistakes } = greeting;
  return { config, status: { pid, since, clients, config, version, log, mistakes } };
}
