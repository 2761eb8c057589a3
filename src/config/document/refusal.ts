/** Why nothing can be served, as the protocol error that a client shows to its user: what is wrong, where, what to do. */
import { errorTable, type WorkbenchError } from '../../base/errors/errors.ts';
import type { JsonObject } from '../../base/json/json.ts';
import { type RpcError, rpcCode, rpcError } from '../../base/rpc/rpc.ts';
import { toPrintable } from '../../base/text/printable.ts';
import { ConfigError } from './config-error.ts';
import type { Problem } from './problem.ts';

/** Further ones are only counted: most clients show little of a message. */
const maxShown = 5;
const maxPartLength = 600;

/** The file itself is not quoted: a client may store what it receives. */
export function toClientError(error: WorkbenchError): RpcError {
  if (!(error instanceof ConfigError)) {
    // Text after an empty line is for a person at a terminal.
    const [said = ''] = error.message.split('\n\n');
    const text = `MCP Workbench cannot serve: ${toLine(said)} Fix: ${toLine(error.fix)} [${error.code}]`;
    return rpcError(rpcCode.internal, text, { code: error.code, fix: error.fix });
  }
  const { file, problems } = error;
  const shown = problems.slice(0, maxShown).map((problem) => toText(problem, file));
  const more = problems.length > shown.length ? [`… and ${problems.length - shown.length} more`] : [];
  const text = ['MCP Workbench cannot serve: the configuration has mistakes.', ...shown, ...more].join('\n');
  return rpcError(rpcCode.internal, text, { code: error.code, file, problems: problems.slice(0, 50).map(toData) });
}

function toText(problem: Problem, file: string): string {
  const { line, column } = problem;
  const spot = line === undefined ? problem.path : `${line}:${column}`;
  return `${file}:${spot} ${toLine(problem.message)} Fix: ${toLine(fixOf(problem))} [${problem.code}]`;
}

function toData(problem: Problem): JsonObject {
  const { code, path, message, line, column } = problem;
  const spot = line === undefined || column === undefined ? {} : { line, column };
  return { code, path, ...spot, message, fix: fixOf(problem) };
}

function fixOf({ code, fix }: Problem): string {
  return fix ?? errorTable[code].fix;
}

function toLine(text: string): string {
  const line = toPrintable(text.replace(/\s+/g, ' ').trim(), maxPartLength);
  return /[.!?\u2026]$/.test(line) ? line : `${line}.`;
}
