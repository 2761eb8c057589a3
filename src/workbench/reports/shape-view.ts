/** What the configuration changes about tools: for each tool what was changed and where the file says so, and what cannot be done. */
import type { ErrorCode } from '../../base/errors/errors.ts';
import { quote, quoteList } from '../../base/text/error-text.ts';
import type { Log } from '../../base/text/log.ts';
import { nearestNames } from '../../base/text/nearest.ts';
import type { ToolboxDefinition } from '../../config/model/config.ts';
import type { ToolShape } from '../../config/model/tool-shape.ts';
import { matches } from '../../toolbox/shape/plan-shape.ts';
import type { Change } from '../../toolbox/shape/shaped.ts';
import type { Address, Toolbox } from '../../toolbox/toolbox.ts';
import type { Snapshot } from '../view/snapshot.ts';

export interface ReshapedTool {
  /** How clients call it. */
  readonly address: Address;
  /** The server's own name. */
  readonly own: string;
  readonly changes: readonly Change[];
}

export interface HiddenTool {
  /** With the server's own name. */
  readonly address: Address;
  /** Where the file says so. */
  readonly path: string;
}

export interface ShapeProblem {
  readonly code: ErrorCode;
  readonly message: string;
}

export interface ShapeView {
  /** Tools that are shown in another way than their servers define them. */
  reshaped(): ReshapedTool[];
  /** Tools that the configuration hides. Only for its owner: a model must not be told. */
  hidden(): HiddenTool[];
  /** Tools that are left out because the configuration does not fit them, tools of instances that differ, entries that match nothing. */
  problems(): ShapeProblem[];
  /** The list of a server has come: warns of each of its problems, once. */
  heard(key: string): void;
}

export function createShapeView(current: () => Snapshot, to: { readonly log: Log }): ShapeView {
  const warned = new Set<string>();
  const isShaped = () => [...current().config.toolboxes.values()].some(hasShapes);
  return {
    reshaped: () => (isShaped() ? [...current().toolboxes.values()].flatMap(findReshaped) : []),
    hidden: () => (isShaped() ? [...current().toolboxes.values()].flatMap(findHidden) : []),
    problems: () => (isShaped() ? findProblems(current()).map(toProblem) : []),
    heard(key) {
      if (!isShaped()) return;
      for (const found of findProblems(current())) {
        const id = JSON.stringify(found);
        if (found.key !== key || warned.has(id)) continue;
        warned.add(id);
        to.log.warn(found.message, { code: found.code });
      }
    },
  };
}

function hasShapes({ placements }: ToolboxDefinition): boolean {
  return placements.some(({ shapes, instance }) => shapes !== undefined || instance !== undefined);
}

function findReshaped({ entries }: Toolbox): ReshapedTool[] {
  return entries.tools.flatMap(({ address, item, shaped }) =>
    shaped === undefined
      ? []
      : [{ address: { ...address, name: item.shown }, own: shaped.own.shown, changes: shaped.changes }],
  );
}

function findHidden({ name: toolbox, unshown }: Toolbox): HiddenTool[] {
  return unshown
    .filter(({ problem }) => problem === undefined)
    .map(({ server, own, path }) => ({ address: { toolbox, server, name: own.shown }, path }));
}

interface Found extends ShapeProblem {
  readonly key: string;
}

function toProblem({ code, message }: Found): ShapeProblem {
  return { code, message };
}

function findProblems({ config, catalog, toolboxes }: Snapshot): Found[] {
  const left = [...toolboxes.values()].flatMap(({ name, unshown }) =>
    unshown.flatMap(({ server, key, own, path, problem }): Found[] => {
      if (problem === undefined) return [];
      const message = `The tool ${quote(own.shown)} of server '${server}' (toolbox '${name}') is left out: ${problem}. See ${path} in the configuration.`;
      return [{ key, code: 'WB1846', message }];
    }),
  );
  const apart = [...toolboxes.values()].flatMap(({ apart: tools }) =>
    tools.map(({ placement, item, why }): Found => {
      const { of, path } = placement.instance;
      const message = `The tool ${quote(item.shown)} of server '${of}' is shown by itself under '${placement.server}': ${why}. See ${path} in the configuration.`;
      return { key: placement.key, code: 'WB1849', message };
    }),
  );
  const idle = [...config.toolboxes.values()].flatMap(({ placements }) =>
    placements.flatMap(({ key, server, shapes = [] }) => {
      const names = (catalog.get(key)?.tools ?? []).map(({ shown }) => shown);
      const unmatched = names.length === 0 ? [] : shapes.filter((shape) => !names.some((name) => matches(shape, name)));
      return unmatched.map((shape): Found => ({ key, code: 'WB1847', message: describeIdle(shape, server, names) }));
    }),
  );
  const once = new Map([...left, ...apart, ...idle].map((found) => [found.message, found]));
  return [...once.values()];
}

function describeIdle({ match, path }: ToolShape, server: string, names: readonly string[]): string {
  const near = nearestNames(match.replaceAll('*', ''), names, 3);
  const hint = near.length > 0 ? `Did you mean: ${quoteList(near)}?` : `Some of them: ${quoteList(names.slice(0, 5))}.`;
  return `${path} in the configuration matches none of the ${names.length} tools of server '${server}'. ${hint}`;
}
