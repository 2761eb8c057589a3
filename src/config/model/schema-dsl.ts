/**
 * A small language that says what a JSON value may look like. One declaration in it (schema.ts) is the source of the
 * TypeScript type, the defaults, the JSON Schema and the reference page, so these cannot disagree.
 */

interface Described<D> {
  /** For the reference page and the tooltip of an editor. Markdown, one paragraph. */
  readonly doc: string;
  /** The value when the key is absent. */
  readonly default: D;
}

export interface TextShape<D extends string | undefined = string | undefined> extends Described<D> {
  readonly kind: 'string';
}

export interface IntegerShape<D extends number | undefined = number | undefined> extends Described<D> {
  readonly kind: 'integer';
  readonly min: number;
  readonly max: number;
}

export interface BooleanShape<D extends boolean | undefined = boolean | undefined> extends Described<D> {
  readonly kind: 'boolean';
}

export interface ChoiceShape<V extends string = string> extends Described<undefined> {
  readonly kind: 'choice';
  readonly values: readonly V[];
}

export interface ListShape<O extends Shape = Shape> extends Described<undefined> {
  readonly kind: 'list';
  readonly of: O;
}

/** An object whose keys are chosen by the author of the file. */
export interface RecordShape<O extends Shape = Shape> extends Described<undefined> {
  readonly kind: 'record';
  readonly of: O;
}

export interface EitherShape<O extends Shape = Shape> extends Described<undefined> {
  readonly kind: 'either';
  readonly of: readonly O[];
}

/** Occurs in files of other clients and is never read. */
export interface AnythingShape extends Described<undefined> {
  readonly kind: 'anything';
}

/** Any JSON value. */
export interface JsonShape extends Described<undefined> {
  readonly kind: 'json';
}

export interface ObjectShape<M extends Members = Members> extends Described<undefined> {
  readonly kind: 'object';
  /** Name of its definition in the JSON Schema and of its section in the reference. */
  readonly name: string;
  readonly members: M;
}

export type Members = Readonly<Record<string, Shape>>;

export type Shape =
  | TextShape
  | IntegerShape
  | BooleanShape
  | ChoiceShape
  | ListShape
  | RecordShape
  | EitherShape
  | AnythingShape
  | JsonShape
  | ObjectShape;

/** The type of a value, as a file has it, or as it is read: with a Map for names from outside. */
export type TypeOf<S, Names extends 'object' | 'map' = 'object'> = S extends { kind: 'string' }
  ? string
  : S extends { kind: 'integer' }
    ? number
    : S extends { kind: 'boolean' }
      ? boolean
      : S extends { kind: 'choice'; values: readonly (infer V)[] }
        ? V
        : S extends { kind: 'list'; of: infer O }
          ? readonly TypeOf<O, Names>[]
          : S extends { kind: 'record'; of: infer O }
            ? Named<TypeOf<O, Names>>[Names]
            : S extends { kind: 'either'; of: readonly (infer O)[] }
              ? TypeOf<O, Names>
              : S extends { kind: 'object'; members: infer M }
                ? { readonly [K in keyof M]?: TypeOf<M[K], Names> }
                : unknown;

interface Named<T> {
  object: Readonly<Record<string, T>>;
  map: ReadonlyMap<string, T>;
}

export function text<D extends string | undefined = undefined>(options: { doc: string; default?: D }): TextShape<D> {
  return { kind: 'string', doc: options.doc, default: options.default as D };
}

export function integer<D extends number | undefined = undefined>(options: {
  doc: string;
  min: number;
  max: number;
  default?: D;
}): IntegerShape<D> {
  return {
    kind: 'integer',
    doc: options.doc,
    min: options.min,
    max: options.max,
    default: options.default as D,
  };
}

export function boolean<D extends boolean | undefined = undefined>(options: {
  doc: string;
  default?: D;
}): BooleanShape<D> {
  return { kind: 'boolean', doc: options.doc, default: options.default as D };
}

export function choice<const V extends string>(values: readonly V[], options: { doc: string }): ChoiceShape<V> {
  return { kind: 'choice', values, doc: options.doc, default: undefined };
}

export function list<O extends Shape>(of: O, options: { doc: string }): ListShape<O> {
  return { kind: 'list', of, doc: options.doc, default: undefined };
}

export function record<O extends Shape>(of: O, options: { doc: string }): RecordShape<O> {
  return { kind: 'record', of, doc: options.doc, default: undefined };
}

export function either<O extends Shape>(of: readonly O[], options: { doc: string }): EitherShape<O> {
  return { kind: 'either', of, doc: options.doc, default: undefined };
}

export function anything(options: { doc: string }): AnythingShape {
  return { kind: 'anything', doc: options.doc, default: undefined };
}

export function json(options: { doc: string }): JsonShape {
  return { kind: 'json', doc: options.doc, default: undefined };
}

export function object<M extends Members>(name: string, members: M, options: { doc: string }): ObjectShape<M> {
  return { kind: 'object', name, members, doc: options.doc, default: undefined };
}

/** The shape in words: "a list of strings". */
export function toPhrase(shape: Shape): string {
  switch (shape.kind) {
    case 'string':
      return 'a string';
    case 'integer':
      return `a whole number from ${shape.min} to ${shape.max}`;
    case 'boolean':
      return 'true or false';
    case 'choice':
      return `one of ${shape.values.map((value) => `"${value}"`).join(', ')}`;
    case 'list':
      return `a list of ${toPlural(shape.of)}`;
    case 'record':
      return `an object of ${toPlural(shape.of)}`;
    case 'either':
      return shape.of.map(toPhrase).join(' or ');
    case 'object':
      return 'an object';
    case 'anything':
    case 'json':
      return 'any value';
  }
}

function toPlural(shape: Shape): string {
  if (shape.kind === 'string') return 'strings';
  return shape.kind === 'object' ? `${shape.name}s` : `values, each ${toPhrase(shape)}`;
}
