/** Finds the id of a message of which only the beginning and the end are known. */

/** At the beginning of its text; an id inside its params is not its own. */
const leadingId =
  /^\s*\{(?:\s*"(?:jsonrpc|method)"\s*:\s*"[^"\\]{0,100}"\s*,)*\s*"id"\s*:\s*(\d{1,15}|"[^"\\]{1,100}")(?=\s*[,}])/;

/** At the end of its text, where many clients write it: a member before the last brace belongs to the message itself. */
const trailingId = /,\s*"id"\s*:\s*(\d{1,15}|"[^"\\]{1,100}")\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/;

/** An answer has the id of a question of ours: a refusal under that id could hit a request of the client. */
const isAnswer = /^\s*\{(?:\s*"(?:jsonrpc|id)"\s*:\s*(?:\d{1,15}|"[^"\\]{0,100}")\s*,)*\s*"(?:result|error)"\s*:/;

/** How much of either end is needed. */
const endLength = 256;

/** Null when no id is found that can be answered under. */
export function findOuterId(head: string, tail: string): string | number | null {
  if (isAnswer.test(head.slice(0, endLength))) return null;
  const id = leadingId.exec(head.slice(0, endLength))?.[1] ?? trailingId.exec(tail.slice(-endLength))?.[1];
  return id === undefined ? null : (JSON.parse(id) as string | number);
}
