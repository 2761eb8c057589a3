/**
 * The tools of several instances of one server as one set: each tool once, with an argument that selects the instance. A tool that
 * is not the same everywhere, or that cannot take another argument, stays with its instance.
 */
import {
  findList,
  findMember,
  findObject,
  isObject,
  type Json,
  type JsonObject,
  withMembers,
} from '../../base/json/json.ts';
import { quote } from '../../base/text/error-text.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import type { Item } from '../../catalog/item.ts';
import type { InstancePlace, Placement } from '../../config/model/config.ts';
import { toCanonicalText } from './check-value.ts';
import type { Routes } from './shaped.ts';

export interface InstancePlacement extends Placement {
  readonly instance: InstancePlace;
}

export interface MergedTool {
  readonly item: Item;
  readonly routes: Routes;
}

/** A tool of one instance that is shown by itself, and why. */
export interface ApartTool {
  readonly placement: InstancePlacement;
  readonly item: Item;
  readonly why: string;
}

export interface MergedTools {
  readonly merged: readonly MergedTool[];
  readonly apart: readonly ApartTool[];
}

/** `passes`: what the filters of the server keep, which all instances share. */
export function mergeInstances(
  placements: readonly InstancePlacement[],
  catalog: Catalog,
  passes: (name: string) => boolean,
): MergedTools {
  const usable = placements.filter(({ instance }) => instance.usable);
  // An instance that was never heard is most likely like the others: a list that changes less is worth more.
  const unheard = usable.filter(({ key }) => catalog.get(key) === undefined);
  const byName = new Map<string, Offer[]>();
  for (const placement of usable)
    for (const item of catalog.get(placement.key)?.tools ?? [])
      if (passes(item.shown)) byName.set(item.shown, [...(byName.get(item.shown) ?? []), { placement, item }]);
  const merged: MergedTool[] = [];
  const apart: ApartTool[] = [];
  for (const offers of byName.values()) {
    const [first] = offers;
    if (first === undefined) continue;
    const { argument } = first.placement.instance;
    const barred = findBar(findObject(first.item.definition, 'inputSchema') ?? {}, argument);
    const same = barred === undefined ? offers.filter(({ item }) => toContract(item) === toContract(first.item)) : [];
    const why = barred ?? `it differs from that of the instance ${quote(first.placement.instance.name)}`;
    apart.push(...offers.filter((offer) => !same.includes(offer)).map((offer) => ({ ...offer, why })));
    if (same.length === 0) continue;
    const having = new Set([...same.map(({ placement }) => placement), ...unheard]);
    merged.push(
      merge(
        first.item,
        usable.filter((placement) => having.has(placement)),
      ),
    );
  }
  return { merged, apart };
}

interface Offer {
  readonly placement: InstancePlacement;
  readonly item: Item;
}

const contracts = new WeakMap<Item, string>();

/** What must be equal; texts may differ. */
function toContract(item: Item): string {
  const known = contracts.get(item);
  if (known !== undefined) return known;
  const { inputSchema = null, outputSchema = null, annotations = null, execution = null } = item.definition;
  const text = toCanonicalText([item.name, withoutTexts(inputSchema), outputSchema, annotations, execution]);
  contracts.set(item, text);
  return text;
}

/** Descriptions often name the account or the database. */
function withoutTexts(schema: Json): Json {
  const properties = isObject(schema) ? findObject(schema, 'properties') : undefined;
  if (!isObject(schema) || properties === undefined) return schema;
  const plain = Object.entries(properties).map(([name, value]): [string, Json] => [
    name,
    isObject(value) ? withMembers(value, { description: undefined }) : value,
  ]);
  return withMembers(schema, { description: undefined, properties: Object.fromEntries(plain) });
}

/** Rules that a further argument could break. */
const closing = [
  'propertyNames',
  'minProperties',
  'maxProperties',
  'unevaluatedProperties',
  '$ref',
  '$dynamicRef',
  'not',
  'if',
  'enum',
  'const',
  'dependentSchemas',
  'dependencies',
];

/** Why a schema cannot take another argument of this name. */
function findBar(schema: JsonObject, argument: string): string | undefined {
  if (names(schema, argument))
    return `it has an argument ${quote(argument)} of its own; choose another "instanceArgument"`;
  const isClosed = closing.some((key) => Object.hasOwn(schema, key)) || options(schema).some(closes);
  return isClosed ? 'its schema does not allow for another argument' : undefined;
}

function closes(schema: Json): boolean {
  if (!isObject(schema)) return schema === false;
  const refuses = (findMember(schema, 'additionalProperties') ?? true) !== true;
  return refuses || closing.some((key) => Object.hasOwn(schema, key)) || options(schema).some(closes);
}

function names(schema: JsonObject, argument: string): boolean {
  if (Object.hasOwn(findObject(schema, 'properties') ?? {}, argument)) return true;
  return options(schema).some((option) => isObject(option) && names(option, argument));
}

function options(schema: JsonObject): Json[] {
  return ['allOf', 'anyOf', 'oneOf'].flatMap((key) => findList(schema, key));
}

const known = new WeakMap<Item, { readonly id: string; readonly tool: MergedTool }>();

/** The same object as before when nothing has changed. */
function merge(item: Item, placements: readonly InstancePlacement[]): MergedTool {
  const id = JSON.stringify(placements.map(({ key, instance }) => [key, instance]));
  const before = known.get(item);
  if (before?.id === id) return before.tool;
  const instances = placements.map(({ instance }) => instance);
  const argument = instances[0]?.argument ?? '';
  const preset = instances.find((instance) => instance.preset)?.name;
  const schema = findObject(item.definition, 'inputSchema') ?? {};
  const required = findList(schema, 'required');
  const selector: JsonObject = {
    type: 'string',
    enum: instances.map(({ name }) => name),
    description: describeChoice(instances),
    ...(preset === undefined ? {} : { default: preset }),
  };
  const inputSchema = withMembers(schema, {
    properties: { [argument]: selector, ...findObject(schema, 'properties') },
    ...(preset === undefined ? { required: [argument, ...required] } : {}),
  });
  const tool: MergedTool = {
    item: { ...item, definition: withMembers(item.definition, { inputSchema }) },
    routes: { argument, preset, keys: new Map(placements.map(({ key, instance }) => [instance.name, key])) },
  };
  known.set(item, { id, tool });
  return tool;
}

function describeChoice(instances: readonly InstancePlace[]): string {
  const described = instances.filter(({ description }) => description !== '');
  const each = described.map(({ name, description }) => `${name}: ${description}`).join('; ');
  return `Which instance to use.${each === '' ? '' : ` ${each}`}`;
}
