import { describe, expect, it } from 'vitest';
import type { Listing } from '../../../src/catalog/listing.ts';
import { parseConfigValue } from '../../../src/config/read/parse.ts';
import { buildSnapshot } from '../../../src/workbench/view/snapshot.ts';

describe('the toolboxes of a snapshot', () => {
  it('the toolboxes of a snapshot are filled when they are first looked at, and once', () => {
    let asked = 0;
    class Counted extends Map<string, Listing> {
      override get(key: string) {
        asked++;
        return super.get(key);
      }
    }
    const config = parseConfigValue({ mcpServers: { a: { command: 'x' } } }, { dir: '/', env: {} });
    const snapshot = buildSnapshot(config, new Counted());
    expect(asked).toBe(0);
    const { toolboxes } = snapshot;
    const filled = asked;
    expect(filled).toBeGreaterThan(0);
    expect(snapshot.toolboxes).toBe(toolboxes);
    expect(asked).toBe(filled);
  });
});
