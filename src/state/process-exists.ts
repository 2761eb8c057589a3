/** Whether there is any process of this number, ours or not. Who it is has to be proven otherwise: numbers are used again. */
import { codeOf } from '../base/code-of.ts';

export function processExists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}
