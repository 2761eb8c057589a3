/** What happened to a server, in words for whoever must act: translated once, by type, from what the process did. */
import { WorkbenchError } from '../base/errors.ts';
import { toLastWords } from './last-words.ts';
import type { ProcessExit } from './process.ts';

/** `stderr` holds the last lines the process wrote, secrets already hidden. */
export function toExitFailure(
  server: string,
  exit: ProcessExit,
  { established, stderr }: { established: boolean; stderr: readonly string[] },
): WorkbenchError {
  const how = exit.signal !== null ? `was ended by ${exit.signal}` : `exited with code ${exit.code ?? 'unknown'}`;
  if (established)
    return new WorkbenchError(
      'WB1010',
      `Server '${server}' ${how}. Whether a call under way had its effect is unknown.`,
    );
  const words = toLastWords(stderr);
  const variable = missingVariable(stderr);
  return new WorkbenchError(
    'WB1004',
    `Server '${server}' ${how} before the handshake.${words === '' ? '' : ` It said: ${words}`}`,
    variable === undefined
      ? { server }
      : { fix: `It seems to need the variable ${variable}: put "${variable}" into the "env" of this server.` },
  );
}

/** `unread` is why: the words of the server, where it said some. */
export function toUnreadTools(server: string, unread: string): WorkbenchError {
  return new WorkbenchError('WB1024', `Server '${server}' does not list its tools: ${unread}.`);
}

/** A name like a credential in the last words of a server that would not start. */
function missingVariable(stderr: readonly string[]): string | undefined {
  const named = /\b([A-Z][A-Z0-9_]{2,60}(?:KEY|TOKEN|URL|SECRET|PASSWORD|HOST))\b/;
  for (const line of stderr.slice(-20)) {
    const found = named.exec(line.slice(0, 1_000))?.[1];
    if (found !== undefined) return found;
  }
  return undefined;
}
