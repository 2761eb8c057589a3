import { describe, expect, it } from 'vitest';
import { createFigures } from '../../bench/figures.mjs';

const subject = { scenario: 'stdio', name: '100 B, p50', of: 'flat', against: 'relay', unit: 'ms' };

describe('figures of the bench', () => {
  it('are medians of the runs, with the widest spread', () => {
    const figures = createFigures();
    for (const own of [
      [1, 1.2],
      [1.3, 1.3],
      [3, 3],
    ])
      figures.add({ ...subject, own, base: [1, 1] });
    const [figure, ...others] = figures.all();
    expect(others).toEqual([]);
    expect(figure).toMatchObject({ runs: 3, own: 1.3, ratio: 1.3, low: 1.05, high: 3 });
  });

  it.each([
    { own: 1.4, verdict: 'ok' },
    { own: 1.41, verdict: 'miss' },
  ])('are judged by their target: $own is $verdict', ({ own, verdict }) => {
    const figures = createFigures();
    figures.add({ ...subject, own: [own], base: [1] });
    expect(figures.all()[0]).toMatchObject({ target: '≤ 1.4', verdict });
  });

  it('of something that was refused in one run say so', () => {
    const figures = createFigures();
    const peer = { ...subject, scenario: 'peers' };
    figures.add({ ...peer, own: [1], base: [1] });
    figures.add({ ...peer, refused: 'HTTP 413' });
    expect(figures.all()).toEqual([{ ...peer, refused: 'HTTP 413', runs: 2 }]);
  });

  it('say a thing once, however often it is noted', () => {
    const figures = createFigures();
    figures.note('a');
    figures.note('a');
    expect(figures.notes()).toEqual(['a']);
  });
});
