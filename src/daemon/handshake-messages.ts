/**
 * The three lines that open a connection: the daemon's challenge, the shim's hello, the daemon's greeting. After them the
 * connection is the pipe of one client. A peer that sends anything else is not ours.
 */
import { defined } from '../base/json/defined.ts';
import { findMember, findString, isObject, type Json, parseObject } from '../base/json/json.ts';

/** The last byte that either side sends before an orderly end. No JSON text can contain it. */
export const endMark = '\u0004';

/** Why a client is refused whose flags do not fit the configuration: `serve` explains it better. */
export const wrongFlags = 'the configuration cannot be used with these flags';

/**
 * `call` is like `attach`, for the command line, which has read the same configuration and uses the toolboxes that are in force.
 */
export type Want = 'attach' | 'call' | 'status' | 'view' | 'stop' | 'reload';
const wants: readonly string[] = ['attach', 'call', 'status', 'view', 'stop', 'reload'] satisfies Want[];

/** Which servers to show, and which to start first: none, those without a known list, or all that do not run. */
export interface ViewQuestion {
  readonly start: 'none' | 'missing' | 'all';
  /** Keys of the configuration. */
  readonly servers: readonly string[];
}

/** How this client wants to be served; the configuration supplies missing members. */
export interface ClientOverrides {
  readonly mode?: string;
  readonly separator?: string;
  readonly client?: string;
  readonly name?: string;
  readonly version?: string;
}

export interface Hello extends ClientOverrides {
  readonly nonce: string;
  readonly proof: string;
  readonly want: Want;
  /** After the client's end the connection stays open in both directions. */
  readonly goesOn: boolean;
  /** For a client that wants a view. */
  readonly question?: ViewQuestion;
}

export interface DaemonStatus {
  readonly pid: number;
  readonly since: string;
  readonly clients: number;
  readonly config: string;
  readonly version: string;
  readonly log: string;
  /** The mistakes in the configuration as it was last read, one line each. */
  readonly mistakes: readonly string[];
}

export interface Greeting extends DaemonStatus {
  readonly proof: string;
  /** Each variable that the configuration looks up in the environment, with its value sealed; null: not set. */
  readonly variables: readonly (readonly [name: string, sealed: string | null])[];
  /** The servers and toolboxes in force, sealed: equal for programs that have read the same configuration. */
  readonly definitions: string;
  /** How clients are served by default. */
  readonly mode: string;
  readonly separator: string;
  /** What to tell the person on stderr. */
  readonly notes: readonly string[];
}

export function parseNonceLine(line: string): string | undefined {
  const value = parseObject(line);
  return value && findString(value, 'nonce');
}

export function parseHello(line: string): Hello | undefined {
  const value = parseObject(line);
  if (value === undefined) return undefined;
  const [nonce, proof, want] = ['nonce', 'proof', 'want'].map((key) => findString(value, key));
  if (nonce === undefined || proof === undefined || want === undefined || !wants.includes(want)) return undefined;
  const wishes = (['mode', 'separator', 'client', 'name', 'version'] as const).flatMap((key) => {
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

/** The daemon is there and refuses this client, for this reason. Without a proof any program could have sent it. */
interface DaemonRefusal {
  readonly refused: string;
  readonly proof?: string;
}

export function parseGreeting(line: string): Greeting | DaemonRefusal | undefined {
  const value = parseObject(line);
  if (value === undefined) return undefined;
  const refused = findString(value, 'refused');
  if (refused !== undefined) {
    const proof = findString(value, 'proof');
    return { refused, ...defined({ proof }) };
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

export function toFirstLine(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

function toList(value: Json | undefined): Json[] {
  return Array.isArray(value) && !isObject(value) ? value : [];
}
