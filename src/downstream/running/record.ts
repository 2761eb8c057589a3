/** What a running Workbench records of itself and of the processes it has started: no arguments, no environment. */
import { findMember, findString, isObject, type Json, parseObject } from '../../base/json/json.ts';

export interface ProcessMark {
  readonly pid: number;
  /** As the system tells it; undefined when it did not tell. */
  readonly began?: string;
  /** When it was started, by our clock. */
  readonly since: string;
}

export interface ServerMark extends ProcessMark {
  readonly name: string;
}

export type Serving =
  | { readonly kind: 'stdio' }
  | { readonly kind: 'http'; readonly port: number }
  /** Serves many clients of this machine, through a socket or a named pipe. */
  | { readonly kind: 'daemon' };

export interface RunningRecord extends ProcessMark {
  /** The space in which the ids are valid. */
  readonly ground: string;
  readonly serves: readonly Serving[];
  readonly config?: string;
  readonly servers: readonly ServerMark[];
  /** What is wrong with the configuration as it was read last, one line each. */
  readonly mistakes?: readonly string[];
}

/** Undefined for text that is not a record of ours. */
export function parseRecord(text: string): RunningRecord | undefined {
  const value = parseObject(text);
  if (value === undefined) return undefined;
  const mark = parseMark(value);
  const ground = findString(value, 'ground');
  const servers = findMember(value, 'servers');
  const serves = findMember(value, 'serves');
  if (mark === undefined || ground === undefined || !Array.isArray(servers) || !Array.isArray(serves)) return undefined;
  const config = findString(value, 'config');
  return {
    ...mark,
    ground,
    serves: serves.flatMap((each) => parseServing(each) ?? []),
    ...(config === undefined ? {} : { config }),
    servers: servers.flatMap((each) => parseServer(each) ?? []),
    ...parseMistakes(findMember(value, 'mistakes')),
  };
}

function parseMistakes(value: Json | undefined): Pick<RunningRecord, 'mistakes'> {
  return Array.isArray(value) ? { mistakes: value.filter((each) => typeof each === 'string') } : {};
}

function parseMark(value: Json): ProcessMark | undefined {
  if (!isObject(value)) return undefined;
  const pid = findMember(value, 'pid');
  const began = findString(value, 'began');
  const since = findString(value, 'since');
  // The ids The ids 0 and 1 would mean far more than one process.
  if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid < 2 || since === undefined) return undefined;
  return { pid, since, ...(began === undefined ? {} : { began }) };
}

function parseServer(value: Json): ServerMark | undefined {
  const mark = parseMark(value);
  const name = isObject(value) ? findString(value, 'name') : undefined;
  return mark === undefined || name === undefined ? undefined : { ...mark, name };
}

function parseServing(value: Json): Serving | undefined {
  if (!isObject(value)) return undefined;
  const port = findMember(value, 'port');
  if (findMember(value, 'kind') === 'http' && typeof port === 'number') return { kind: 'http', port };
  const kind = findMember(value, 'kind');
  return kind === 'stdio' || kind === 'daemon' ? { kind } : undefined;
}
