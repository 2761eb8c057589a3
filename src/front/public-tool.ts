/** The definition of a tool with the URIs in it as clients see them. */
import type { JsonObject } from '../base/json.ts';
import type { Entry } from '../toolbox/toolbox.ts';
import type { Bench } from '../workbench/bench.ts';
import { withPublicUi } from './public-uris.ts';
import { uriMapOf } from './uri-map.ts';

export function publicTool(bench: Bench, { item, key }: Entry): JsonObject {
  const { wrap } = uriMapOf(bench);
  return withPublicUi(item.definition, (uri) => wrap(key, uri));
}
