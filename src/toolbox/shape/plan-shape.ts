/** Joins what all entries of `tools` say of one tool: later entries win, member by member. */
import type { JsonObject } from '../../base/json/json.ts';
import { matchesParts } from '../../base/text/match-parts.ts';
import { type ArgumentRule, isPattern, type ToolShape } from '../../config/model/tool-shape.ts';

/** A value, and where the file says so. */
export interface Stated<T> {
  readonly value: T;
  readonly path: string;
}

export interface PlannedArgument {
  readonly name: string;
  readonly description?: Stated<string>;
  readonly rule?: Stated<ArgumentRule>;
  /** An entry for exactly this tool speaks of it: then the tool must have it. */
  readonly exact: boolean;
}

export interface ShapePlan {
  readonly hidden?: Stated<boolean>;
  readonly name?: Stated<string>;
  readonly title?: Stated<string>;
  readonly description?: Stated<string>;
  readonly annotations?: Stated<JsonObject>;
  readonly aliases?: Stated<readonly string[]>;
  readonly arguments: readonly PlannedArgument[];
}

/** Undefined when no entry matches. */
export function planShape(name: string, shapes: readonly ToolShape[]): ShapePlan | undefined {
  const matching = shapes.filter((shape) => matches(shape, name));
  if (matching.length === 0) return undefined;
  let plan: ShapePlan = { arguments: [] };
  for (const shape of matching) plan = join(plan, shape);
  return plan;
}

export function matches(shape: ToolShape, name: string): boolean {
  return isPattern(shape) ? matchesParts(name, shape.match.split('*')) : shape.match === name;
}

const texts = ['hidden', 'name', 'title', 'description', 'aliases'] as const;

function join(before: ShapePlan, shape: ToolShape): ShapePlan {
  const { path, annotations } = shape;
  const stated = texts
    .filter((key) => shape[key] !== undefined)
    .map((key) => [key, { value: shape[key], path: `${path}.${key}` }]);
  const hints = annotations && {
    annotations: { value: { ...before.annotations?.value, ...annotations }, path: `${path}.annotations` },
  };
  return {
    ...before,
    ...(Object.fromEntries(stated) as Partial<ShapePlan>),
    ...hints,
    arguments: joinArguments(before.arguments, shape),
  };
}

function joinArguments(before: readonly PlannedArgument[], shape: ToolShape): readonly PlannedArgument[] {
  const joined = new Map(before.map((argument) => [argument.name, argument]));
  for (const { name, path, description, rule } of shape.arguments ?? []) {
    const known = joined.get(name) ?? { name, exact: false };
    joined.set(name, {
      ...known,
      ...(description === undefined ? {} : { description: { value: description, path: `${path}.description` } }),
      ...(rule === undefined ? {} : { rule: { value: rule, path } }),
      exact: known.exact || !isPattern(shape),
    });
  }
  return [...joined.values()];
}
