import { describe, expect, it } from 'vitest';
import { createFigures } from '../../bench/figures.mjs';
import { promised } from '../../bench/head-table.mjs';
import { toPage } from '../../bench/page.mjs';
import { joinSaved, type Saved } from '../../bench/saved.mjs';
import { targetOf } from '../../bench/targets.mjs';

type Figures = ReturnType<typeof createFigures>;

describe('the page docs/performance.md', () => {
  it.each(promised)('promises %s only with a target', (_, key) => {
    expect(targetOf(key)).toBeDefined();
  });

  it('begins with every promise: met, missed, or not measured', () => {
    const lines = pageOf((figures) => {
      add(figures, 'stdio | 100 B, p50 | flat | relay', 1.2);
      add(figures, 'http | 100 B, p50 | flat | relay', 1.7);
    });
    expect(lines).toContain('| stdio p50 ÷ relay, 100 B | ≤ 1.4 | 1.20 | – | met |');
    expect(lines).toContain('| HTTP p50 ÷ relay, 100 B | ≤ 1.5 | 1.70 | – | **missed** |');
    expect(lines.filter((line) => line.endsWith('| – | – | not measured |'))).toHaveLength(promised.length - 2 + 1);
  });

  it('tells the worst of mode meta, whichever way its figure counts', () => {
    const lines = pageOf((figures) => {
      add(figures, 'stdio | 100 B, p50 | meta | flat', 1.1);
      add(figures, 'stdio | 64 in flight, calls/s | meta | flat', 0.5, 'calls/s');
    });
    const row = lines.find((line) => line.startsWith('| `meta` ÷ `flat`'));
    expect(row).toContain('0.50 at worst (stdio, 64 in flight, calls/s)');
    expect(row).toContain('**1 of 2 missed**');
  });

  it('has a row for each peer, which says what was refused and what was not measured', () => {
    const lines = pageOf((figures) => {
      add(figures, 'peers | 1 MB argument, p50 | ours | relay stdio', 1.5);
      add(figures, 'peers | cold start | ours | the ten', 0.3);
      const theirs = { scenario: 'peers', name: '1 MB argument, p50', of: 'theirs', against: 'relay http', unit: 'ms' };
      figures.add({ ...theirs, refused: 'HTTP 413' });
    });
    expect(lines).toContain('| program | 1 MB argument, p50, ÷ relay | cold start, ÷ the ten |');
    expect(lines).toContain('| ours | 1.50 (1.50 ms) | 0.30 (0.30 ms) |');
    expect(lines).toContain('| theirs | refused | – |');
  });

  it('is the same from files of one run each as from one of all runs', () => {
    const key = 'stdio | 100 B, p50 | flat | relay';
    const one = (ratio: number) => savedOf((figures) => add(figures, key, ratio));
    const joined = joinSaved([one(1), one(1.3), one(3)]);
    const whole = savedOf((figures) => {
      for (const ratio of [1, 1.3, 3]) add(figures, key, ratio);
    });
    expect(joined.runs).toBe(3);
    expect(toPage({ ...joined, rounds: 8 })).toBe(toPage({ ...whole, runs: 3 }));
  });
});

function add(figures: Figures, key: string, ratio: number, unit = 'ms') {
  const [scenario = '', name = '', of = '', against = ''] = key.split(' | ');
  figures.add({ scenario, name, of, against, unit, own: [ratio], base: [1] });
}

function savedOf(fill: (figures: Figures) => void): Saved {
  const figures = createFigures();
  fill(figures);
  const { each, all, notes } = figures;
  return { machine: 'M', day: '2026-01-01', rounds: 8, runs: 1, load: 0, notes: notes(), figures: all(), each };
}

function pageOf(fill: (figures: Figures) => void): string[] {
  return toPage(savedOf(fill)).split('\n');
}
