/**
 * The description of a toolbox: the one in the file; without one, and with a single server, what that server says about itself.
 * The text of a server is one line in quotation marks, so that it cannot pass for another toolbox.
 */
import { withoutHidden } from '../../base/text/hidden.ts';
import { cutText } from '../../catalog/cut.ts';
import type { Config, Placement } from '../../config/model/config.ts';
import type { WorkbenchView } from '../../workbench/view/workbench-view.ts';

const maxBytes = 200;

type Described = { readonly description: string; readonly placements: Iterable<Placement> };

export function describeToolbox(
  { description, placements }: Described,
  bench: Pick<WorkbenchView, 'statusOf'>,
): string {
  const [only, ...others] = placements;
  if (description !== '' || only === undefined || others.length > 0) return description;
  const { name, info, instructions } = bench.statusOf(only.key);
  const said = [info?.description, instructions, info?.title].map(toLine).find((line) => line !== '');
  return said === undefined ? name : JSON.stringify(cutText(said, maxBytes));
}

function toLine(text = ''): string {
  const lines = withoutHidden(text).split(/[\r\n\u2028\u2029]+/);
  return lines.map((line) => line.replace(/\s+/g, ' ').trim()).find((line) => line !== '') ?? '';
}

/** All toolboxes of the configuration, described so. */
export function withDescriptions(bench: Pick<WorkbenchView, 'statusOf' | 'config'>): Config {
  const { config } = bench;
  const toolboxes = [...config.toolboxes].map(
    ([name, toolbox]) => [name, { ...toolbox, description: describeToolbox(toolbox, bench) }] as const,
  );
  return { ...config, toolboxes: new Map(toolboxes) };
}
