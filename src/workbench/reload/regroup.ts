/** A plain file in another mode has the same servers in toolboxes with other names. What clients watch must follow. */
import type { Config } from '../../config/model/config.ts';
import type { ServerPlace } from '../view/workbench-view.ts';

/** Gives the new place of each old one; undefined when places have not changed their names. */
export function planRelocation(
  before: Config,
  after: Config,
): ((place: ServerPlace) => ServerPlace | undefined) | undefined {
  const plain = before.plain === true && after.plain === true && before.mode !== after.mode;
  // Not where toolboxes are access rights: another toolbox may be for other clients.
  if (!plain || after.auth !== undefined) return undefined;
  const places = new Map<string, ServerPlace>();
  for (const { name: toolbox, placements } of after.toolboxes.values())
    for (const { key, server } of placements) places.set(key, { toolbox, server });
  return ({ toolbox, server }) => {
    const placement = before.toolboxes.get(toolbox)?.placements.find((each) => each.server === server);
    return placement === undefined ? undefined : places.get(placement.key);
  };
}
