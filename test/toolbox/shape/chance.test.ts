// @module-tag chance
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { WorkbenchError } from '../../../src/base/errors/errors.ts';
import { isObject, type Json, type JsonObject } from '../../../src/base/json/json.ts';
import type { Item } from '../../../src/catalog/item.ts';
import { checkValue } from '../../../src/toolbox/shape/check-value.ts';
import { toOwnArguments } from '../../../src/toolbox/shape/own-arguments.ts';
import { shapeTool } from '../../../src/toolbox/shape/shape-tools.ts';
import { withoutArgument } from '../../../src/toolbox/shape/without-argument.ts';
import { newSeed } from '../../support/seed.ts';
import { share } from '../../support/selection.ts';
import { allNames, createChance, pick, pickArguments, pickValue, plainNames, toolSchema } from './schemas.ts';

const base = newSeed() ?? 20_260_728;
const ajv = new Ajv({ strict: false, validateSchema: false, logger: false, ownProperties: true });
const accepts = (schema: Json) => {
  const validate = ajv.compile(schema as JsonObject);
  return (value: Json) => validate(value) as boolean;
};
const hasOwn = (object: JsonObject, key: string) => Object.hasOwn(object, key);

describe(`schemas by chance, SEED=${base}`, () => {
  it('without a fixed argument accept exactly the arguments that the whole schema accepts with it', () => {
    let compared = 0;
    for (let round = 0; round < share(1_000); round++) {
      const chance = createChance(base + round * 7919);
      const schema = toolSchema(chance, plainNames);
      const name = pick(chance, plainNames);
      const isFixed = chance(3) > 0;
      const value = pickValue(chance);
      const reduced = withoutArgument(schema, isFixed ? { name, value } : { name });
      const whole = accepts(schema);
      const rest = (args: JsonObject) => Object.fromEntries(Object.entries(args).filter(([key]) => key !== name));
      const isLeft = 'problem' in reduced ? () => false : accepts(reduced.schema);
      const isUnsure = 'problem' in reduced && !/does not fit|is required/.test(reduced.problem);
      if (isUnsure) continue;
      for (let each = 0; each < 24; each++) {
        const args = rest(pickArguments(chance, plainNames));
        const sent = isFixed ? Object.fromEntries([...Object.entries(args), [name, value]]) : args;
        const shown = JSON.stringify({ round, schema, name, value: isFixed ? value : undefined, reduced, args });
        expect(isLeft(args), shown).toBe(whole(sent));
        compared++;
      }
    }
    expect(compared).toBeGreaterThan(share(1_000));
  }, 120_000);

  it('are told to fit a value only when a real validator says so', () => {
    for (let round = 0; round < share(1_000); round++) {
      const chance = createChance(base + round * 104_729);
      const schema = toolSchema(chance, plainNames);
      const value: Json = pickArguments(chance, plainNames);
      const verdict = checkValue(value, schema, schema);
      if (verdict !== undefined) expect(verdict, JSON.stringify({ round, schema, value })).toBe(accepts(schema)(value));
    }
  }, 120_000);

  it('never let a hidden argument through, and the fixed value always arrives', () => {
    let refused = 0;
    let sent = 0;
    for (let round = 0; round < share(20_000); round++) {
      const chance = createChance(base + round * 15_485_863);
      const [fixed, hidden] = [pick(chance, allNames), pick(chance, allNames)];
      const value = pickValue(chance);
      const item: Item = {
        name: 't',
        shown: 't',
        definition: { name: 't', inputSchema: toolSchema(chance, allNames) },
      };
      const rule = { kind: 'fixed', value, shown: '', secret: false } as const;
      const outcome = shapeTool(item, [
        {
          match: 't',
          path: 'tools.t',
          arguments: [
            { name: fixed, path: 'f', rule },
            ...(fixed === hidden ? [] : [{ name: hidden, path: 'h', rule: { kind: 'hidden' } as const }]),
          ],
        },
      ]);
      if (!('item' in outcome) || outcome.shaped === undefined) continue;
      const shown = JSON.stringify(outcome.item.definition);
      const given = pick<() => Json>(chance, [
        () => pickArguments(chance, allNames),
        () => JSON.parse(`{"${fixed}": "first", "${fixed}": "second"}`) as Json,
        () => JSON.parse('{"a": {"owner": {"__proto__": {"owner": 1}}}}') as Json,
        () => [pickArguments(chance, allNames)],
        () => JSON.stringify(pickArguments(chance, allNames)),
        () => null,
      ])();
      const wasSet = isObject(given) && [fixed, hidden].some((name) => hasOwn(given, name));
      let own: JsonObject | undefined;
      try {
        own = toOwnArguments('t', outcome.shaped, given);
      } catch (error) {
        expect(error).toBeInstanceOf(WorkbenchError);
      }
      if (own === undefined) {
        refused++;
        expect(wasSet || !isObject(given), shown).toBe(true);
        continue;
      }
      sent++;
      expect(wasSet).toBe(false);
      expect(Object.getOwnPropertyDescriptor(own, fixed)?.value).toEqual(value);
      expect(hidden !== fixed && hasOwn(own, hidden)).toBe(false);
      const others = Object.keys(own).filter((key) => key !== fixed);
      expect(others).toEqual(Object.keys(given as JsonObject));
      for (const key of others) expect(own[key]).toBe((given as JsonObject)[key]);
    }
    expect(Math.min(refused, sent)).toBeGreaterThan(share(500));
  });
});
