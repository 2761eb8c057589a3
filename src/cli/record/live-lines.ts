/**
 * The lines that a service in a terminal shows while it runs: clients as they connect and leave, calls as they end. Bounded in
 * number.
 */
import { type CallRecord, type Client, type Observer, toPrintable } from '../../index.ts';
import type { Paint } from '../output/colour.ts';
import { toPrincipalName } from './journal.ts';

export interface LiveLinesOptions {
  readonly paint: Paint;
  write(line: string): void;
  now?(): Date;
}

/** Per second; a person does not read more. */
const maxLines = 15;
/** Clients without a session that have been shown. */
const maxKnown = 1_000;

export function createLiveLines({ paint, write, now = () => new Date() }: LiveLinesOptions): Observer {
  let shown = 0;
  let left = 0;
  let timer: NodeJS.Timeout | undefined;
  const known = new Set<string>();

  const startOver = () => {
    timer = undefined;
    if (left > 0) write(paint.dim(`          … and ${left} more`));
    shown = 0;
    left = 0;
  };
  const show = (kind: string, text: string) => {
    if (timer === undefined) {
      timer = setTimeout(startOver, 1_000);
      timer.unref();
    }
    if (++shown > maxLines) left++;
    else write(`${paint.dim(toClock(now()))}  ${kind.padEnd(6)}  ${text}`);
  };
  /** A client without a session counts as connected when it is first seen. */
  const introduce = (client: Client) => {
    const key = JSON.stringify([client.principal, client.name, client.version ?? null]);
    if (known.has(key)) return;
    if (known.size >= maxKnown) known.clear();
    known.add(key);
    show('client', toClientText(client));
  };
  return {
    onClient(client) {
      show('client', `${toClientText(client)} connected`);
      client.session?.onClose(() => show('client', `${toClientText(client)} left`));
    },
    onCall(record) {
      if (record.client.session === undefined) introduce(record.client);
      show('call', toCallText(record, paint));
    },
  };
}

function toCallText({ client, method, toolbox, server, name, ms, outcome }: CallRecord, paint: Paint): string {
  const what = [toolbox, server, ...(name === undefined ? [] : [name])].join('/');
  const how = outcome === 'ok' ? paint.green(outcome) : paint.yellow(outcome);
  const kind = method === 'tools/call' ? '' : `${method} `;
  return `${toPrintable(`${kind}${what}`, 160)}  ${Math.round(ms)} ms  ${how}  ${paint.dim(toPrintable(client.name, 60))}`;
}

function toClientText({ name, version, principal }: Client): string {
  const who = toPrincipalName(principal);
  const behind = who === '' || who === 'token' || who === 'anyone' ? '' : ` (${who})`;
  return toPrintable(`${name}${version === undefined ? '' : ` ${version}`}${behind}`, 160);
}

function toClock(time: Date): string {
  return time.toTimeString().slice(0, 8);
}
