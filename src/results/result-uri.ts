/** The URIs of held results: of a whole one, or of a part of one that is too long to be read at once. */

const start = 'mcp-workbench://result/';
const form = /^mcp-workbench:\/\/result\/([0-9a-f]{1,64})(?:\?from=(\d{1,15}))?$/;

export function isResultUri(uri: string): boolean {
  return uri.startsWith(start);
}

export function toResultUri(handle: string, from = 0): string {
  return from === 0 ? `${start}${handle}` : `${start}${handle}?from=${from}`;
}

export function parseResultUri(uri: string): { readonly handle: string; readonly from: number } | undefined {
  const [, handle, from = '0'] = form.exec(uri) ?? [];
  return handle === undefined ? undefined : { handle, from: Number(from) };
}
