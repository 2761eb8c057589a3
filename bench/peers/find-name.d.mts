export function findName(names: readonly string[], tool: string): string;
