/** Turns texts into vectors of one length, by a service or a package. Texts that mean alike have vectors that point alike. */
export interface Embedder {
  /** Vectors of two embedders with the same id can be compared. It does not hold a secret. */
  readonly id: string;
  /** Most texts in one request. */
  readonly maxTexts: number;
  /** A vector of length 1 for each text. Throws an EmbedError. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]>;
  close(): Promise<void>;
}

export interface EmbedErrorOptions {
  /** The same request may work later. */
  readonly mayPass: boolean;
  /** When to ask again, if the service said so. */
  readonly afterMs?: number;
  /** The request was refused for what is in it: a smaller one may work. */
  readonly tooMuch?: boolean;
}

/** Why there are no vectors, as a sentence for the log: without a text, a key or an answer in it. */
export class EmbedError extends Error {
  readonly mayPass: boolean;
  readonly afterMs: number | undefined;
  readonly tooMuch: boolean;

  constructor(message: string, { mayPass, afterMs, tooMuch = false }: EmbedErrorOptions) {
    super(message);
    this.mayPass = mayPass;
    this.afterMs = afterMs;
    this.tooMuch = tooMuch;
  }
}

/** More dimensions than any known model has. */
const maxDimensions = 16_384;

/** Checks what a service or a package gave, and scales it to length 1. Throws an EmbedError. */
export function toVectors(given: readonly unknown[], count: number): Float32Array[] {
  if (given.length !== count) throw wrong(`${given.length} vectors for ${count} texts`);
  const vectors = given.map(toVector);
  const dimensions = vectors[0]?.length ?? 0;
  if (vectors.some(({ length }) => length !== dimensions)) throw wrong('vectors of different lengths');
  return vectors;
}

function toVector(given: unknown): Float32Array {
  const isList = Array.isArray(given) || given instanceof Float32Array;
  if (!isList || given.length === 0 || given.length > maxDimensions) throw wrong('something that is not a vector');
  const vector = new Float32Array(given.length);
  let square = 0;
  for (const [at, value] of given.entries()) {
    if (typeof value !== 'number' || !Number.isFinite(value)) throw wrong('a vector with values that are not numbers');
    vector[at] = value;
    square += value * value;
  }
  if (square === 0 || !Number.isFinite(square)) throw wrong('a vector without a direction');
  const by = 1 / Math.sqrt(square);
  for (let at = 0; at < vector.length; at++) vector[at] = (vector[at] as number) * by;
  return vector;
}

function wrong(what: string): EmbedError {
  return new EmbedError(`the answer has ${what}`, { mayPass: false });
}
