/**
 * The parts of a file that are not in force because they have mistakes. A wrong entry is left out as a whole and reported under
 * its name; it is never used in part, because the missing part may be the one that protects. See decision 29.
 */
import { type ErrorCode, errorTable } from '../../base/errors/errors.ts';
import { toPrintable } from '../../base/text/printable.ts';
import type { ConfigError } from '../document/config-error.ts';
import type { Problem } from '../document/problem.ts';

/** Why something is left out, in one line. */
export interface Fault {
  readonly code: ErrorCode;
  readonly message: string;
  readonly fix: string;
  /** At least one, in the order of the file. */
  readonly problems: readonly Problem[];
}

export interface LeftOutServer {
  /** Unique among all servers of the configuration. */
  readonly key: string;
  readonly name: string;
  readonly transport: 'stdio' | 'http';
  /** The command or address as written in the file: safe to print. */
  readonly shown: string;
  readonly fault: Fault;
}

export interface LeftOut {
  /** Keyed by server key. Placements refer to them like to any other server. */
  readonly servers: ReadonlyMap<string, LeftOutServer>;
  /** By name. */
  readonly toolboxes: ReadonlyMap<string, Fault>;
  /** A key that says who may connect over HTTP, or what they may use there, is wrong: nothing may be served there. */
  readonly closesHttp: boolean;
  /** All mistakes, as they are shown to a person. */
  readonly error: ConfigError;
}

/** `problems`: at least one. */
export function toFault(problems: readonly Problem[]): Fault {
  const [first] = problems;
  const code = first?.code ?? 'WB1405';
  const rest = problems.length > 1 ? `, and ${problems.length - 1} more` : '';
  return {
    code,
    message: `${first?.message ?? errorTable[code].title}${toSpot(first)}${rest}`,
    fix: toOneLine(first?.fix ?? errorTable[code].fix),
    problems,
  };
}

function toSpot(problem: Problem | undefined): string {
  return problem?.line === undefined ? '' : ` (line ${problem.line}, column ${problem.column} of the configuration)`;
}

/** A fix for a terminal may have several lines. */
function toOneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ', ').replace(/ {2,}/g, ' ');
}

/** One part that is left out, or is not in force as the file has it. */
export interface LeftOutItem extends Omit<Fault, 'problems'> {
  /** A phrase such as `server "files"`. */
  readonly what: string;
}

/** All parts that are left out, entries first. */
export function listLeftOut(leftOut: LeftOut): LeftOutItem[] {
  const { servers, toolboxes, error } = leftOut;
  const faults = [...[...servers.values()].map(({ fault }) => fault), ...toolboxes.values()];
  const told = new Set(faults.flatMap(({ problems }) => problems));
  const others = error.problems.filter((problem) => !told.has(problem));
  return [
    ...listLeftOutEntries(leftOut),
    ...others.map((problem) => toItem(problem.path === '' ? 'the file' : problem.path, toFault([problem]))),
  ];
}

/** The servers and toolboxes that are left out. */
export function listLeftOutEntries({ servers, toolboxes }: Pick<LeftOut, 'servers' | 'toolboxes'>): LeftOutItem[] {
  return [
    ...[...servers.values()].map(({ name, fault }) => toItem(`server "${toPrintable(name, 80)}"`, fault)),
    ...[...toolboxes].map(([name, fault]) => toItem(`toolbox "${toPrintable(name, 80)}"`, fault)),
  ];
}

function toItem(what: string, { code, message, fix }: Fault): LeftOutItem {
  return { what, code, message, fix };
}
