/** Takes a port, or the next one that is free. */

import type { Server } from 'node:http';
import { codeOf } from '../../base/errors/code-of.ts';
import { WorkbenchError } from '../../base/errors/errors.ts';

export interface PortOptions {
  readonly host: string;
  readonly port: number;
  /** The user named it, so no other will do. */
  readonly portFixed: boolean;
}

/** How many ports are tried. */
const attempts = 20;

/** Gives the port that was taken. */
export async function bindPort(server: Server, { host, port, portFixed }: PortOptions): Promise<number> {
  const last = portFixed ? port : Math.min(port + attempts - 1, 65_535);
  for (let candidate = port; ; candidate++) {
    try {
      return await listenOn(server, host, candidate);
    } catch (error) {
      if (codeOf(error) !== 'EADDRINUSE') throw cannotListen(host, candidate, error);
      if (candidate >= last) throw inUse(host, port, portFixed);
    }
  }
}

function listenOn(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => reject(error);
    server.once('error', fail);
    server.listen({ host, port }, () => {
      server.off('error', fail);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

function inUse(host: string, port: number, portFixed: boolean): WorkbenchError {
  const what = portFixed ? `Port ${port} of ${host} is` : `Ports ${port} to ${port + attempts - 1} of ${host} are`;
  return new WorkbenchError('WB1301', `${what} in use by another program.`);
}

function cannotListen(host: string, port: number, error: unknown): WorkbenchError {
  return new WorkbenchError('WB1313', `Port ${port} of ${host} cannot be listened on (${codeOf(error)}).`);
}
