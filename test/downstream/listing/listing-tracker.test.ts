import { describe, expect, it } from 'vitest';
import { createListingTracker } from '../../../src/downstream/listing/listing-tracker.ts';
import type { ListSource } from '../../../src/downstream/listing/read-listing.ts';
import { createFakeClock } from '../../support/fake-clock.ts';

describe('lists that have changed', () => {
  it('are read once when the burst is over', async () => {
    const { clock, keeper, reads, connect } = createWorld();
    const only = connect('only');
    keeper.refreshSoon(only, ['tools']);
    keeper.refreshSoon(only, ['prompts']);
    await clock.advance(2_000);
    expect(reads).toEqual(['only: tools, prompts']);
  });

  it('are read on the connection that takes the place of another within the burst', async () => {
    const { clock, keeper, reads, connect } = createWorld();
    keeper.refreshSoon(connect('first'), ['prompts']);
    keeper.refreshSoon(connect('second'), ['tools']);
    await clock.advance(2_000);
    expect(reads).toEqual(['second: prompts, tools']);
  });

  it('are not waited for when an earlier connection says so', async () => {
    const { clock, keeper, connect } = createWorld();
    const first = connect('first');
    connect('second');
    keeper.refreshSoon(first, ['tools']);
    expect(clock.pending).toBe(0);
  });
});

function createWorld() {
  const clock = createFakeClock();
  const reads: string[] = [];
  let current: ListSource | undefined;
  const keeper = createListingTracker({
    clock,
    known: undefined,
    isCurrent: (source) => source === current,
    onListingChanged() {},
    onProblem() {},
    onTools() {},
    onSolved() {},
  });
  const connect = (name: string): ListSource => {
    const listing = async (wanted: readonly string[]) => {
      reads.push(`${name}: ${wanted.join(', ')}`);
      return new Map();
    };
    current = { connected: Promise.resolve({ connection: { listing } }) };
    return current;
  };
  return { clock, keeper, reads, connect };
}
