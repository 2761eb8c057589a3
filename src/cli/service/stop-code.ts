/** The exit code of a service that was told to stop. */
import { exitCode } from '../../index.ts';
import type { StopReason } from '../run/io.ts';

/** Being told to stop is the normal end of a service; Ctrl-C is an interruption. */
export function toStopCode(signal: AbortSignal): number {
  if (!signal.aborted) return exitCode.ok;
  const reason = signal.reason as StopReason;
  if (reason === 'SIGINT') return exitCode.interrupted;
  return reason === 'fault' ? exitCode.unexpected : exitCode.ok;
}
