/**
 * The meaning of SIGHUP. For a service without a terminal: read the configuration again. For one in a terminal: the terminal is
 * gone. Windows sends it when the console is closed, and ends the process soon after.
 */
import type { Io } from '../run/io.ts';

export function isReloadSignal(platform: NodeJS.Platform, { stdin, stdout, stderr }: Io['tty']): boolean {
  return platform !== 'win32' && !stdin && !stdout && !stderr;
}
