export function nameOf(spec: string): string;
export function reasonOf(error: { killed?: boolean; stderr?: string; message: string }): string;
