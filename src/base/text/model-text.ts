/** The part of the definition of a tool that models are given, as text: what its tokens are counted of. */
interface Definition {
  readonly [key: string]: unknown;
}

export function toModelText({ name, description, inputSchema }: Definition): string {
  return JSON.stringify({ name, description, inputSchema });
}
