/** The map of public URIs that belongs to what a front shows. Made once for a configuration: every answer needs it. */
import type { Config } from '../config/config.ts';
import { buildUriMap, type UriMap } from '../toolbox/public-uri.ts';

const maps = new WeakMap<Config, UriMap>();

export function uriMapOf({ config }: { readonly config: Config }): UriMap {
  let map = maps.get(config);
  if (map === undefined) {
    map = buildUriMap(config);
    maps.set(config, map);
  }
  return map;
}
