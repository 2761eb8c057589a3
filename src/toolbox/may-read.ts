/**
 * Whether a client may read a URI from a server in this toolbox. Servers also read URIs that they never listed, so filters must
 * apply to what is requested, not only to what is shown.
 */
import { matchesParts } from '../base/text/match-parts.ts';
import type { Placement } from '../config/model/config.ts';
import { buildExclusion, buildFilter, keepsAll } from './filter.ts';
import { filtersOf, type Toolbox } from './toolbox.ts';

export function mayRead({ index }: Pick<Toolbox, 'index'>, placement: Placement, uri: string): boolean {
  const filters = filtersOf('resources', placement);
  if (keepsAll(filters)) return true;
  const templates = index.resourceTemplates.get(placement.server);
  if (index.resources.get(placement.server)?.has(uri) || templates?.has(uri)) return true;
  if (climbs(uri) || buildExclusion(filters)(uri)) return false;
  if (buildFilter(filters)(uri)) return true;
  return [...(templates?.values() ?? [])].some(({ item }) => matchesTemplate(uri, item.name));
}

/** Whether a URI can come from a template. */
export function matchesTemplate(uri: string, template: string): boolean {
  return matchesParts(uri, template.split(/\{[^{}]*\}/));
}

/** With `..` in any spelling, a URI may lead out of what a pattern keeps. */
function climbs(uri: string): boolean {
  let plain = uri;
  for (let round = 0; round < 3 && plain.includes('%'); round++) plain = plain.replace(/%(?:2e|2f|5c|25)/gi, decode);
  return /(?:^|[\\/:])\.\.(?:[\\/?#]|$)/.test(plain);
}

function decode(written: string): string {
  return decodeURIComponent(written);
}
