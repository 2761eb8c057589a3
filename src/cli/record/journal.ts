/**
 * Records calls and refused tokens: which client, which tool, how long, how it ended; never the content. Collected in memory and
 * written about once a second, so that no call waits for it.
 */
import { type CallRecord, type Client, type Log, type Redactor, toPrintable } from '../../index.ts';
import type { JournalFile } from './journal-file.ts';

export interface Journal {
  call(record: CallRecord): void;
  /** Records the events that belong in the journal, and no others. */
  readonly log: Log;
  flush(): void;
}

export interface JournalOptions {
  readonly file: JournalFile;
  readonly redactor: Redactor;
  /** Called once when nothing can be written; then collecting stops. */
  onLost(why: string): void;
  now?(): number;
}

const flushMs = 1_000;
/** Between two writes; further events are only counted. */
const maxLines = 2_000;
/** For refused tokens: this many at once, then one per second. */
const maxRefusals = 20;
const longestWord = 200;
const refusedToken = 'WB1315';

export function createJournal({ file, redactor, onLost, now = Date.now }: JournalOptions): Journal {
  let waiting: { readonly time: number; readonly toFields: ToFields }[] = [];
  let dropped = 0;
  let lost = false;
  let timer: NodeJS.Timeout | undefined;

  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting.length === 0 || lost) return;
    // Names and times repeat from call to call.
    const word = remember((text: string) => toPrintable(redactor.hide(text), longestWord));
    const toTime = remember((ms: number) => new Date(ms).toISOString());
    const lines: object[] = waiting.map(({ time, toFields }) => ({ time: toTime(time), ...toFields(word) }));
    if (dropped > 0) lines.push({ time: toTime(now()), dropped });
    waiting = [];
    dropped = 0;
    try {
      file.append(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    } catch (error) {
      lost = true;
      onLost(error instanceof Error ? error.message : String(error));
    }
  };
  /** Keeps the event; its line is built when it is written. */
  const add = (toFields: ToFields) => {
    if (lost) return;
    if (waiting.length >= maxLines) {
      dropped++;
      return;
    }
    waiting.push({ time: now(), toFields });
    if (timer !== undefined) return;
    timer = setTimeout(flush, flushMs);
    timer.unref();
  };
  const refusals = createPace(maxRefusals, now);
  const refuse = (fields: Fields) => {
    const skipped = refusals();
    if (skipped === undefined) return;
    add((word) => ({ event: 'token-refused', ...toWords(fields, word), ...(skipped > 0 && { skipped }) }));
  };
  return {
    call: (record) => add((word) => toCallFields(record, word)),
    log: createEventLog(refuse),
    flush,
  };
}

type Word = (text: string) => string;
/** The members of a line, behind its time. */
type ToFields = (word: Word) => object;

function toCallFields({ client, method, toolbox, server, name, ms, outcome }: CallRecord, word: Word): object {
  const place = [toolbox, server, ...(name === undefined ? [] : [name])].map(word).join('/');
  const what = method === 'tools/call' ? { tool: place } : { method, at: place };
  return { ...toWho(client, word), ...what, ms: Math.round(ms), outcome };
}

function remember<K, V>(make: (key: K) => V): (key: K) => V {
  const made = new Map<K, V>();
  return (key) => {
    const known = made.get(key) ?? make(key);
    made.set(key, known);
    return known;
  };
}

type Fields = NonNullable<Parameters<Log['warn']>[1]>;

/** How many were left out before this one; undefined when this one is left out, too. */
function createPace(most: number, now: () => number): () => number | undefined {
  let left = most;
  let at = now();
  let skipped = 0;
  return () => {
    const time = now();
    left = Math.min(most, left + (time - at) / 1_000);
    at = time;
    if (left < 1) {
      skipped++;
      return undefined;
    }
    left--;
    const before = skipped;
    skipped = 0;
    return before;
  };
}

function createEventLog(refuse: (fields: Fields) => void, fixed: Fields = {}): Log {
  const put = (_event: string, fields: Fields = {}) => {
    if (fields.code === refusedToken) refuse({ ...fixed, ...fields });
  };
  return {
    debug: put,
    info: put,
    warn: put,
    error: put,
    with: (fields) => createEventLog(refuse, { ...fixed, ...fields }),
  };
}

function toWords(fields: Fields, word: Word): object {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries.map(([key, value]) => [key, typeof value === 'string' ? word(value) : value]));
}

function toWho({ name, version, principal }: Client, word: Word): object {
  const who = toPrincipalName(principal);
  return {
    client: word(name),
    ...(version === undefined ? {} : { version: word(version) }),
    ...(who === '' ? {} : { principal: word(who) }),
  };
}

/** A principal is a key that holds more than the name: `[[name, rights], endpoint]`, each as JSON. */
export function toPrincipalName(principal: string): string {
  let found: unknown = principal;
  for (let depth = 0; depth < 4 && typeof found === 'string' && found.startsWith('['); depth++) {
    try {
      [found] = JSON.parse(found) as unknown[];
    } catch {
      return principal;
    }
  }
  return typeof found === 'string' ? found : principal;
}
