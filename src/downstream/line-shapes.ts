/** What can be told of a line of a server before it is parsed, by how it begins. */

/** What is no message seldom begins like one. */
export const looksLikeMessage = /^\s*(?:\[\s*)?\{\s*["}]/;

/** The request that a message answers of which only the beginning is known. A request of the server has ids of its own. */
export const answeredId =
  /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*"?(\d{1,15})"?\s*,\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"(?:result|error)"/;
/** An answer whose id, if it names one, stands at its end. */
export const answersFirst = /^\s*\{\s*"(?:result|error)"/;
/** Of a notification as servers write them; in any other order of its members it is parsed first. */
export const leadingMethod = /^\{(?:"jsonrpc":"2\.0",)?"method":"(notifications\/[\w/]{1,60})"/;
