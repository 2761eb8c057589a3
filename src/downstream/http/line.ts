/** JSON on one line: between its parts a break is white space like any other, and inside strings there is none. */
export function toLine(text: string): string {
  return /[\r\n]/.test(text) ? text.replace(/[\r\n]+/g, ' ').trim() : text;
}
