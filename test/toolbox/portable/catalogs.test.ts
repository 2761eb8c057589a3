// @module-tag chance
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { toPortableSchema } from '../../../src/toolbox/portable-schema.ts';
import { createRandom, seed } from '../../generator/random.ts';
import { readRecorded } from '../../recall/read-data.ts';
import { repoRoot } from '../../support/program.ts';
import { share } from '../../support/selection.ts';
import { depthOf, findFaults } from './faults.ts';
import { randomInstance } from './random-instance.ts';
import { compile } from './validate.ts';

const instances = 20;

/** Input schemas of real tools, of all servers; in a short run every tenth. */
const schemas = readRecorded(join(repoRoot, 'test/recall/data'))
  .flatMap(({ server, tools }) =>
    tools.map((tool) => ({ at: `${server}.${tool.name}`, schema: tool.inputSchema as JsonObject })),
  )
  .filter((_, at) => at % (10 / share(10)) === 0);

describe('portable schemas of real tools', () => {
  it('have only what every model family takes, and do not become much larger', () => {
    expect(schemas.length).toBeGreaterThan(200);
    for (const { at, schema } of schemas) {
      const { schema: portable } = toPortableSchema(schema);
      expect({ at, faults: findFaults(portable) }).toEqual({ at, faults: [] });
      expect(depthOf(portable)).toBeLessThanOrEqual(10);
      const size = JSON.stringify(schema).length;
      expect(JSON.stringify(portable).length).toBeLessThanOrEqual(Math.max(16 * 1_024, 2 * size));
    }
  });

  it('accept every value that the originals accept', { timeout: 300_000 }, () => {
    let accepted = 0;
    for (const [index, { at, schema }] of schemas.entries()) {
      const accepts = compile(schema);
      const portable = compile(toPortableSchema(schema).schema);
      if (accepts === undefined) continue;
      const random = createRandom(seed * 1_000_000 + index);
      for (let round = 0; round < instances; round++) {
        const value = randomInstance(schema, schema, random);
        if (typeof value !== 'object' || value === null || Array.isArray(value) || !accepts(value)) continue;
        accepted++;
        if (portable?.(value) !== true) expect({ at, value }).toBeUndefined();
      }
    }
    expect(accepted).toBeGreaterThan(schemas.length * 10);
  });
});
