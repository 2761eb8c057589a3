/** What one server said it offers. A value: a new answer of the server makes a new listing. */
import type { Json } from '../base/json.ts';
import { parseTool, type Tool } from './tool.ts';

export interface Listing {
  readonly tools: readonly Tool[];
  /** What was wrong with the answer, in words for the person who runs the Workbench. */
  readonly problems: readonly string[];
}

export const emptyListing: Listing = { tools: [], problems: [] };

/** Builds a listing from the raw entries of all pages; one bad entry never costs the others. */
export function buildListing(entries: readonly Json[], problems: readonly string[] = []): Listing {
  const tools = new Map<string, Tool>();
  const found = [...problems];
  for (const entry of entries) {
    const { tool, problem } = parseTool(entry);
    if (problem !== undefined) found.push(problem);
    if (tool === undefined) continue;
    if (tools.has(tool.name)) found.push(`tool '${tool.name}' is listed twice; the first one counts`);
    else tools.set(tool.name, tool);
  }
  return { tools: [...tools.values()], problems: found };
}

export function sameTools(a: Listing, b: Listing): boolean {
  return a.tools.length === b.tools.length && JSON.stringify(a.tools) === JSON.stringify(b.tools);
}
