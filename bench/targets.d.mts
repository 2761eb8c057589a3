export function targetOf(key: string): { readonly text: string; met(ratio: number): boolean } | undefined;
