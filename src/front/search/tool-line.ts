/** A tool in one line, callable as it stands: address, arguments, what it returns and does. */
import { findMember, findObject, findString, type JsonObject } from '../../base/json/json.ts';
import { estimateTokens } from '../../base/text/token-estimate.ts';
import type { Entry } from '../../toolbox/toolbox.ts';
import type { ServerStatus } from '../../workbench/reports/server-status.ts';
import { firstSentenceOf } from './plain-text.ts';
import { toAddressText } from './tool-address.ts';
import { type Argument, listArguments, toArgumentName, typeTextOf } from './type-text.ts';

/** Required arguments are shown in any case, up to this many. */
const maxRequired = 12;
/** Optional arguments are added while the line has not more tokens than this. */
const maxTokens = 40;
const maxSentence = 72;
const maxReturned = 3;

/** `slack.post_message(channel:string, text:string) — Posts a message`. */
export function toToolLine(entry: Entry, status: Pick<ServerStatus, 'state' | 'failure'>): string {
  const { definition } = entry.item;
  const address = addressTextOf(entry);
  const rest = `${toReturned(definition)}${toMarks(definition, status)}${toPurpose(definition)}`;
  const room = maxTokens - estimateTokens(address) - estimateTokens(rest);
  return `${address}(${toArgumentsText(findObject(definition, 'inputSchema') ?? {}, room)})${rest}`;
}

/** The same without its arguments, for long lists. */
export function toShortLine(entry: Entry, status: Pick<ServerStatus, 'state' | 'failure'>): string {
  const { definition } = entry.item;
  return `${addressTextOf(entry)}${toMarks(definition, status)}${toPurpose(definition)}`;
}

export function addressTextOf({ address, item }: Entry): string {
  return toAddressText({ ...address, name: item.shown });
}

/** `room` is what optional arguments may take, in tokens. */
function toArgumentsText(root: JsonObject, room: number): string {
  const toText = ({ key, required, schema }: Argument) =>
    `${toArgumentName(key)}${required ? '' : '?'}:${typeTextOf(schema, { root, toObject: () => 'object' })}`;
  const all = listArguments(root);
  const shown: string[] = [];
  let left = room;
  for (const argument of all) {
    if (argument.required && shown.length >= maxRequired) break;
    const text = toText(argument);
    left -= estimateTokens(`${text}, `);
    if (!argument.required && left < 0) break;
    shown.push(text);
  }
  return [...shown, ...(all.length > shown.length ? [`…+${all.length - shown.length}`] : [])].join(', ');
}

function toReturned(definition: JsonObject): string {
  const output = findObject(definition, 'outputSchema');
  const names = output === undefined ? [] : listArguments(output).map(({ key }) => toArgumentName(key));
  if (names.length === 0) return '';
  const more = names.length > maxReturned ? ', …' : '';
  return ` -> {${names.slice(0, maxReturned).join(', ')}${more}}`;
}

/** In front of the text of the server, which can imitate a mark but not move it. */
function toMarks(definition: JsonObject, status: Pick<ServerStatus, 'state' | 'failure'>): string {
  const annotations = findObject(definition, 'annotations') ?? {};
  const effect =
    findMember(annotations, 'readOnlyHint') === true
      ? ' [reads]'
      : findMember(annotations, 'destructiveHint') === true
        ? ' [destroys]'
        : '';
  return `${effect}${toStateMark(status)}`;
}

/** The state of a server, where a call does not simply start it. */
export function toStateMark({ state, failure }: Pick<ServerStatus, 'state' | 'failure'>): string {
  if (state === 'needs-sign-in' || failure?.code === 'WB1201') return ' [needs sign-in]';
  if (state === 'down') return ' [server down]';
  return state === 'failing' ? ' [server failing]' : '';
}

function toPurpose(definition: JsonObject): string {
  const text = findString(definition, 'description') ?? findString(definition, 'title') ?? '';
  const sentence = firstSentenceOf(text, maxSentence);
  return sentence === '' ? '' : ` — ${sentence}`;
}
