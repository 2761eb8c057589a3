/** A number with its noun: `1 server`, `2 toolboxes`. */
export function pluralize(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
