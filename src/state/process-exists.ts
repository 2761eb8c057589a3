/** Whether any process has this number, ours or not. Its identity must be proven otherwise, because numbers are reused. */
import { codeOf } from '../base/errors/code-of.ts';

export function processExists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}
