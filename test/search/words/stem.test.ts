import { describe, expect, it } from 'vitest';
import { toStem } from '../../../src/search/words/stem.ts';

describe('stems of English words', () => {
  // Examples of the steps of the algorithm, from its paper.
  it.each([
    ['caresses', 'caress'],
    ['ponies', 'poni'],
    ['cats', 'cat'],
    ['agreed', 'agre'],
    ['plastered', 'plaster'],
    ['motoring', 'motor'],
    ['sing', 'sing'],
    ['conflated', 'conflat'],
    ['troubled', 'troubl'],
    ['sized', 'size'],
    ['hopping', 'hop'],
    ['falling', 'fall'],
    ['filing', 'file'],
    ['happy', 'happi'],
    ['sky', 'sky'],
    ['relational', 'relat'],
    ['digitizer', 'digit'],
    ['vietnamization', 'vietnam'],
    ['hopefulness', 'hope'],
    ['sensibiliti', 'sensibl'],
    ['triplicate', 'triplic'],
    ['electrical', 'electr'],
    ['revival', 'reviv'],
    ['adjustment', 'adjust'],
    ['adoption', 'adopt'],
    ['probate', 'probat'],
    ['rate', 'rate'],
    ['controll', 'control'],
    ['roll', 'roll'],
  ])('%s becomes %s', (word, stem) => {
    expect(toStem(word)).toBe(stem);
  });

  it('leaves words with other characters as they are', () => {
    expect(toStem('s3')).toBe('s3');
    expect(toStem('größen')).toBe('größen');
  });
});
