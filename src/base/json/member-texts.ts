/** The members of an object in a valid JSON text, each with its key and the text of its value. */
import { stringEnd } from './json-edit.ts';

export interface MemberText {
  readonly key: string;
  readonly value: string;
}

/** Stops after `most` + 1 members. */
export function memberTexts(text: string, most = Number.POSITIVE_INFINITY): MemberText[] {
  const members: MemberText[] = [];
  let start = text.indexOf('{') + 1;
  let depth = 0;
  let keyEnd = -1;
  const close = (end: number) => {
    if (keyEnd >= 0)
      members.push({ key: JSON.parse(text.slice(start, keyEnd)) as string, value: text.slice(keyEnd + 1, end).trim() });
    start = end + 1;
    keyEnd = -1;
  };
  for (let at = start; at < text.length && members.length <= most; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) at = stringEnd(text, at);
    else if (code === 0x7b || code === 0x5b) depth++;
    else if (code === 0x7d || code === 0x5d) {
      if (depth === 0) {
        close(at);
        break;
      }
      depth--;
    } else if (depth === 0 && code === 0x3a && keyEnd < 0) keyEnd = at;
    else if (depth === 0 && code === 0x2c) close(at);
  }
  return members;
}
