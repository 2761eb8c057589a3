/** What a message says, as the text it says it in: values would hide a number that was read and printed again. */
import { parseTree } from 'jsonc-parser';

/** The text of the result in the line of an answer. */
export function resultTextOf(line: string): string {
  return memberTexts(line).get('result') ?? '';
}

/** The members of an object, each with the text of its value. */
export function memberTexts(text: string): Map<string, string> {
  const members = new Map<string, string>();
  for (const { children: [key, value] = [] } of parseTree(text)?.children ?? []) {
    if (key !== undefined && value !== undefined)
      members.set(String(key.value), text.slice(value.offset, value.offset + value.length));
  }
  return members;
}
