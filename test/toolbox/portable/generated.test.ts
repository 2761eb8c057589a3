// @module-tag chance
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../src/base/json/json.ts';
import { toPortableSchema } from '../../../src/toolbox/portable-schema.ts';
import { createRandom, seed } from '../../generator/random.ts';
import { share } from '../../support/selection.ts';
import { depthOf, findFaults } from './faults.ts';
import { randomInstance } from './random-instance.ts';
import { randomSchema } from './random-schema.ts';
import { compile } from './validate.ts';

const schemas = share(1_500);
const instances = 40;

interface Loss {
  readonly seed: number;
  readonly schema: JsonObject;
  readonly portable: JsonObject;
  readonly value: Json;
}

/** Counts instances that the original accepts, and finds those that the portable schema does not. */
function compare(from: number): { accepted: number; losses: Loss[] } {
  const random = createRandom(from);
  const schema = randomSchema(random);
  const accepts = compile(schema);
  if (accepts === undefined) return { accepted: 0, losses: [] };
  const { schema: portable } = toPortableSchema(schema);
  const both = [compile(portable, '2020-12'), compile(portable, 'draft-07')];
  const values = Array.from({ length: instances }, () => randomInstance(schema, schema, random));
  const accepted = values.filter(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value) && accepts(value),
  );
  const lost = accepted.filter((value) => both.some((check) => check === undefined || !check(value)));
  return { accepted: accepted.length, losses: lost.map((value) => ({ seed: from, schema, portable, value })) };
}

describe('portable schemas of generated ones', () => {
  it('accept every value that the original accepts', { timeout: 300_000 }, () => {
    let accepted = 0;
    const losses: Loss[] = [];
    for (let at = 0; at < schemas; at++) {
      const found = compare(seed * 1_000_000 + at);
      accepted += found.accepted;
      losses.push(...found.losses);
    }
    expect(losses.slice(0, 1)).toEqual([]);
    expect(accepted).toBeGreaterThan(schemas * 2);
  });

  it('have only what every model family takes, and are the same each time', { timeout: 300_000 }, () => {
    for (let at = 0; at < schemas; at++) {
      const schema = randomSchema(createRandom(seed * 1_000_000 + at));
      const { schema: portable, changes } = toPortableSchema(schema);
      expect({ at, faults: findFaults(portable) }).toEqual({ at, faults: [] });
      expect(depthOf(portable)).toBeLessThanOrEqual(10);
      expect(toPortableSchema(JSON.parse(JSON.stringify(schema)))).toEqual({ schema: portable, changes });
    }
  });
});
