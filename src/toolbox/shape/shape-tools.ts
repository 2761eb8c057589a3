/**
 * Tools as the configuration wants them shown: renamed, described anew, with arguments taken away. The server keeps its own names
 * and schemas; what a call needs to get back to them travels with each tool. A tool that cannot be shown as it is wanted is left
 * out and reported, because what is missing may be what protects.
 */
import { findObject, type Json, type JsonObject, withMembers } from '../../base/json/json.ts';
import { quote, quoteList } from '../../base/text/error-text.ts';
import type { Item } from '../../catalog/item.ts';
import type { ToolShape } from '../../config/model/tool-shape.ts';
import { type PlannedArgument, planShape, type ShapePlan } from './plan-shape.ts';
import type { Change, Shaped, ShapedItem } from './shaped.ts';
import { withArgument } from './with-argument.ts';
import { withoutArgument } from './without-argument.ts';

export type ShapeOutcome =
  | ShapedItem
  | { readonly hidden: string }
  | { readonly problem: string; readonly path: string };

export function shapeTool(item: Item, shapes: readonly ToolShape[]): ShapeOutcome {
  const plan = planShape(item.shown, shapes);
  if (plan === undefined) return { item };
  if (plan.hidden?.value === true) return { hidden: plan.hidden.path };
  const rules = shapeArguments(findObject(item.definition, 'inputSchema') ?? {}, plan.arguments);
  if ('problem' in rules) return rules;
  const { schema, changes, ...sent } = rules;
  const definition = withMembers(item.definition, {
    ...toTexts(item, plan),
    ...(schema === findObject(item.definition, 'inputSchema') ? {} : { inputSchema: schema }),
  });
  const own = toChanges(plan, item);
  if (own.length + changes.length === 0) return { item };
  const shaped: Shaped = { own: item, aliases: plan.aliases?.value ?? [], ...sent, changes: [...own, ...changes] };
  return { item: { name: item.name, shown: plan.name?.value ?? item.shown, definition }, shaped };
}

function toTexts({ definition }: Item, { name, title, description, annotations }: ShapePlan): JsonObject {
  const hints = annotations && { ...findObject(definition, 'annotations'), ...annotations.value };
  // An older client shows the title of the annotations.
  const isTitled = title !== undefined && findObject(definition, 'annotations')?.title !== undefined;
  const shown =
    isTitled && annotations?.value.title === undefined
      ? { ...findObject(definition, 'annotations'), ...hints, title: title.value }
      : hints;
  return {
    ...(name === undefined ? {} : { name: name.value }),
    ...(title === undefined ? {} : { title: title.value }),
    ...(description === undefined ? {} : { description: description.value }),
    ...(shown === undefined ? {} : { annotations: shown }),
  };
}

function toChanges(plan: ShapePlan, { shown }: Item): Change[] {
  const { name, title, description, annotations, aliases } = plan;
  return [
    ...(name === undefined || name.value === shown ? [] : [{ what: 'name', path: name.path } as const]),
    ...(title === undefined ? [] : [{ what: 'title', path: title.path } as const]),
    ...(description === undefined ? [] : [{ what: 'description', path: description.path } as const]),
    ...(annotations === undefined
      ? []
      : [{ what: 'annotations', path: annotations.path, detail: Object.keys(annotations.value).join(', ') } as const]),
    ...(aliases === undefined
      ? []
      : [{ what: 'aliases', path: aliases.path, detail: aliases.value.join(', ') } as const]),
  ];
}

interface Sent extends Pick<Shaped, 'fixed' | 'defaults' | 'withheld'> {
  readonly schema: JsonObject;
  readonly changes: readonly Change[];
}

function shapeArguments(
  schema: JsonObject,
  planned: readonly PlannedArgument[],
): Sent | { readonly problem: string; readonly path: string } {
  const fixed = new Map<string, Json>();
  const defaults = new Map<string, Json>();
  const withheld = new Set<string>();
  const changes: Change[] = [];
  let current = schema;
  for (const argument of planned) {
    const { name, rule, description, exact } = argument;
    const kind = rule?.value.kind ?? 'shown';
    const value = rule !== undefined && 'value' in rule.value ? rule.value : undefined;
    const path = rule?.path ?? description?.path ?? '';
    if (kind === 'fixed' || kind === 'hidden') {
      const reduced = withoutArgument(current, value === undefined ? { name } : { name, value: value.value });
      if ('problem' in reduced) return { problem: reduced.problem, path };
      if (!reduced.named) {
        if (exact) return { problem: describeUnknown(name, current), path };
        continue;
      }
      current = reduced.schema;
      withheld.add(name);
      if (value !== undefined) fixed.set(name, value.value);
      changes.push({ what: 'argument', argument: name, how: kind, path, ...(value && { detail: value.shown }) });
      continue;
    }
    const isDefault = kind === 'default' && value !== undefined;
    if (!isDefault && description === undefined) continue;
    const edited = withArgument(current, {
      name,
      description: description?.value,
      ...(isDefault ? { default: value } : {}),
    });
    if (edited === 'misfit')
      return { problem: `the default for the argument "${name}" does not fit the schema of the tool`, path };
    if (edited === undefined) {
      if (exact) return { problem: describeUnknown(name, current), path };
      continue;
    }
    current = edited;
    if (isDefault) defaults.set(name, value.value);
    if (isDefault) changes.push({ what: 'argument', argument: name, how: 'default', path, detail: value.shown });
    if (description !== undefined)
      changes.push({ what: 'argument', argument: name, how: 'description', path: description.path });
  }
  return { schema: current, fixed, defaults, withheld, changes };
}

function describeUnknown(name: string, schema: JsonObject): string {
  const names = Object.keys(findObject(schema, 'properties') ?? {});
  return `the tool has no argument ${quote(name)}${names.length === 0 ? '' : `; it has ${quoteList(names)}`}`;
}
