/**
 * The trail: the Workbenches that lead to a process or a request, outermost first. Each is known by the id of its configuration.
 * A process gets it in a variable, a request in a member of its metadata.
 */
import type { Json, JsonObject } from '../json/json.ts';

/** The name under which a Workbench introduces itself to servers. */
export const workbenchName = 'mcp-workbench';
/** In the first request to a server on this machine. */
export const trailKey = 'dev.mcp-workbench/trail';
/** In the first answer to a client that is a Workbench: which Workbench answers, and which ones are behind it. */
export const reachesKey = 'dev.mcp-workbench/reaches';
export const trailVariable = 'WORKBENCH_TRAIL';

/** A Workbench above this process. */
export interface Step {
  readonly id: string;
  readonly pid: number;
}

/** No useful chain is longer. */
const maxIds = 32;
const idForm = /^[0-9a-f]{16}$/;

export function toTrailText(steps: readonly Step[]): string {
  return steps.map(({ id, pid }) => `${id}.${pid}`).join('_');
}

/** Entries that cannot be read are left out. */
export function parseTrailText(text: string): Step[] {
  return text
    .split('_', maxIds)
    .map((part) => /^([0-9a-f]{16})\.([1-9]\d{0,9})$/.exec(part))
    .flatMap((found) => (found === null ? [] : [{ id: found[1] ?? '', pid: Number(found[2]) }]));
}

/** The ids that a member of untrusted metadata holds. */
export function findIds(meta: JsonObject | undefined, key: string): string[] {
  const value: Json | undefined = meta !== undefined && Object.hasOwn(meta, key) ? meta[key] : undefined;
  if (!Array.isArray(value)) return [];
  return value.slice(0, maxIds).filter((id): id is string => typeof id === 'string' && idForm.test(id));
}
