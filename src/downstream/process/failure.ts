/** Says what happened to a server so that a person can act: the one translation from what its process did to an error. */
import { WorkbenchError } from '../../base/errors/errors.ts';
import type { ServerDefinition } from '../../config/model/config.ts';
import { toLastWords } from './last-words.ts';
import type { ProcessExit } from './process.ts';

/** `stderr` holds the last lines the process wrote, secrets already hidden. */
export function toExitFailure(
  server: string,
  exit: ProcessExit,
  { established, calling = false, stderr }: { established: boolean; calling?: boolean; stderr: readonly string[] },
): WorkbenchError {
  const how = exit.signal !== null ? `was ended by ${exit.signal}` : `exited with code ${exit.code ?? 'unknown'}`;
  if (established && !calling) return toIdleLoss(`Server '${server}' ${how}.`);
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

/** The server or its connection ended while no call was under way: there is no call whose effect could be unknown. */
export function toIdleLoss(message: string): WorkbenchError {
  return new WorkbenchError('WB1025', message);
}

/** Programs that download what they are to run. */
const downloaders = /^(?:npx|bunx|uvx|pipx|pnpx|docker|podman)(?:\.cmd|\.exe)?$/i;

export function toLateStart({ name, transport, startTimeoutMs }: ServerDefinition): WorkbenchError {
  const message = `Server '${name}' did not answer the handshake within ${startTimeoutMs / 1000} s.`;
  if (transport.kind !== 'stdio')
    return new WorkbenchError('WB1005', message, {
      fix: 'Check that what listens under its "url" is the server and is not overloaded, or raise "startTimeoutMs" of this server.',
    });
  // The last part of a path, on any platform.
  const program = transport.command.slice(
    Math.max(...['/', '\\'].map((slash) => transport.command.lastIndexOf(slash))) + 1,
  );
  if (downloaders.test(program)) return new WorkbenchError('WB1005', message);
  return new WorkbenchError('WB1005', message, {
    fix: 'Check that the command starts an MCP server that speaks on stdin and stdout, or raise "startTimeoutMs" of this server.',
  });
}

/** `unread` is the reason, in the server's words where it gave some. */
export function toUnreadTools(server: string, unread: string): WorkbenchError {
  return new WorkbenchError('WB1024', `Server '${server}' does not list its tools: ${unread}.`);
}

/** A name that looks like a credential in the last lines of a server that would not start. */
function missingVariable(stderr: readonly string[]): string | undefined {
  const named = /\b([A-Z][A-Z0-9_]{2,60}(?:KEY|TOKEN|URL|SECRET|PASSWORD|HOST))\b/;
  for (const line of stderr.slice(-20)) {
    const found = named.exec(line.slice(0, 1_000))?.[1];
    if (found !== undefined) return found;
  }
  return undefined;
}
