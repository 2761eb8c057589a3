/**
 * The trail: which Workbenches lead to where something is started or asked, outermost first. Each is known by the id of its
 * configuration. A process is told it by a variable, a request by a member of its metadata.
 */
import type { Json, JsonObject } from './json.ts';

/** How a Workbench introduces itself to servers. */
export const workbenchName = 'mcp-workbench';
/** In what servers on this machine are asked first. */
export const trailKey = 'dev.mcp-workbench/trail';
/** In what a client that is a Workbench is answered first: who answers, and which Workbenches are behind it. */
export const reachesKey = 'dev.mcp-workbench/reaches';
export const trailVariable = 'WORKBENCH_TRAIL';

/** A Workbench above this process. */
export interface Step {
  readonly id: string;
  readonly pid: number;
}

/** Longer trails lead nowhere that anybody wants to go. */
const mostIds = 32;
const idForm = /^[0-9a-f]{16}$/;

export function toTrailText(steps: readonly Step[]): string {
  return steps.map(({ id, pid }) => `${id}.${pid}`).join('_');
}

/** What cannot be read is left out. */
export function parseTrailText(text: string): Step[] {
  return text
    .split('_', mostIds)
    .map((part) => /^([0-9a-f]{16})\.([1-9]\d{0,9})$/.exec(part))
    .flatMap((found) => (found === null ? [] : [{ id: found[1] ?? '', pid: Number(found[2]) }]));
}

/** The ids that a member of untrusted metadata holds. */
export function findIds(meta: JsonObject | undefined, key: string): string[] {
  const value: Json | undefined = meta !== undefined && Object.hasOwn(meta, key) ? meta[key] : undefined;
  if (!Array.isArray(value)) return [];
  return value.slice(0, mostIds).filter((id): id is string => typeof id === 'string' && idForm.test(id));
}
