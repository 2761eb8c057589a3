/**
 * The three lines that open a connection: the daemon's challenge, the shim's hello, the daemon's greeting. After them the
 * connection is the pipe of one client. Whatever does not look like that is not ours.
 */
import { findMember, findString, isObject, type Json, parseObject } from '../base/json.ts';

/** The last byte of what either side says when it ends in order. No JSON text can hold it. */
export const endMark = '\u0004';

/** Why a client is refused whose flags do not fit the configuration: `serve` says it better. */
export const wrongFlags = 'the configuration cannot be used with these flags';

/** `call`: like `attach`, for the command line, which has read the same configuration and takes its toolboxes as they are in force. */
export type Want = 'attach' | 'call' | 'status' | 'view' | 'stop' | 'reload';
const wants: readonly string[] = ['attach', 'call', 'status', 'view', 'stop', 'reload'] satisfies Want[];

/** Which servers are to be shown as they are, and what is started before: nothing, what was never heard, or all that do not run. */
export interface ViewQuestion {
  readonly start: 'none' | 'missing' | 'all';
  /** Keys of the configuration. */
  readonly servers: readonly string[];
}

/** How this client wants to be served; what is missing is as the configuration says. */
export interface Wishes {
  readonly mode?: string;
  readonly separator?: string;
  readonly name?: string;
  readonly version?: string;
}

export interface Hello extends Wishes {
  readonly nonce: string;
  readonly proof: string;
  readonly want: Want;
  /** After the end of the client the connection stays open in both directions. */
  readonly goesOn: boolean;
  /** Of who wants a view. */
  readonly question?: ViewQuestion;
}

export interface DaemonStatus {
  readonly pid: number;
  readonly since: string;
  readonly clients: number;
  readonly config: string;
  readonly version: string;
  readonly log: string;
  /** What is wrong with the configuration as it was read last, one line each. */
  readonly mistakes: readonly string[];
}

export interface Greeting extends DaemonStatus {
  readonly proof: string;
  /** Each variable that the configuration asks the environment for, with its value sealed; null: not set. */
  readonly variables: readonly (readonly [name: string, sealed: string | null])[];
  /** The servers and toolboxes in force, sealed: the same for whoever has read the same. */
  readonly definitions: string;
  /** How clients are served unless they wish otherwise. */
  readonly mode: string;
  readonly separator: string;
  /** What to tell the person on stderr. */
  readonly notes: readonly string[];
}

export function parseChallenge(line: string): string | undefined {
  const value = parseObject(line);
  return value && findString(value, 'nonce');
}

export function parseHello(line: string): Hello | undefined {
  const value = parseObject(line);
  if (value === undefined) return undefined;
  const [nonce, proof, want] = ['nonce', 'proof', 'want'].map((key) => findString(value, key));
  if (nonce === undefined || proof === undefined || want === undefined || !wants.includes(want)) return undefined;
  const wishes = (['mode', 'separator', 'name', 'version'] as const).flatMap((key) => {
    const wish = findString(value, key);
    return wish === undefined ? [] : [[key, wish] as const];
  });
  const goesOn = findMember(value, 'goesOn') === true;
  const question = parseQuestion(findMember(value, 'question'));
  const asked = question === undefined ? {} : { question };
  return { nonce, proof, want: want as Want, goesOn, ...asked, ...Object.fromEntries(wishes) };
}

function parseQuestion(value: Json | undefined): ViewQuestion | undefined {
  if (!isObject(value)) return undefined;
  const start = findString(value, 'start');
  if (start !== 'none' && start !== 'missing' && start !== 'all') return undefined;
  return { start, servers: toList(findMember(value, 'servers')).filter((key) => typeof key === 'string') };
}

/** The daemon is there and does not take this client, for this reason. Without a proof anybody could have said it. */
export interface Refusal {
  readonly refused: string;
  readonly proof?: string;
}

export function parseGreeting(line: string): Greeting | Refusal | undefined {
  const value = parseObject(line);
  if (value === undefined) return undefined;
  const refused = findString(value, 'refused');
  if (refused !== undefined) {
    const proof = findString(value, 'proof');
    return { refused, ...(proof === undefined ? {} : { proof }) };
  }
  const [pid, clients] = [findMember(value, 'pid'), findMember(value, 'clients')];
  const texts = ['proof', 'since', 'config', 'version', 'log'].map((key) => findString(value, key));
  const [proof, since, config, version, log] = texts;
  const [definitions = '', mode = '', separator = ''] = ['definitions', 'mode', 'separator'].map((key) =>
    findString(value, key),
  );
  if (typeof pid !== 'number' || typeof clients !== 'number') return undefined;
  if (proof === undefined || since === undefined || config === undefined) return undefined;
  if (version === undefined || log === undefined) return undefined;
  const [notes, mistakes] = (['notes', 'mistakes'] as const).map((key) =>
    toList(findMember(value, key)).filter((each) => typeof each === 'string'),
  ) as [string[], string[]];
  const variables = toList(findMember(value, 'variables')).flatMap((each) => {
    const [name, sealed] = toList(each);
    const ok = typeof name === 'string' && (typeof sealed === 'string' || sealed === null);
    return ok ? [[name, sealed] as const] : [];
  });
  const about = { config, version, log, definitions, mode, separator, mistakes };
  return { pid, clients, proof, since, ...about, notes, variables };
}

export function toLine(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

function toList(value: Json | undefined): Json[] {
  return Array.isArray(value) && !isObject(value) ? value : [];
}
