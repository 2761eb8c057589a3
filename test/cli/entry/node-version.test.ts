import { describe, expect, it } from 'vitest';
import { findNodeProblem } from '../../../src/cli/entry/node-version.ts';

describe('the version of Node.js', () => {
  it.each(['v20.19.0', 'v20.20.2', 'v22.0.0', 'v30.1.0'])('%s is new enough', (version) => {
    expect(findNodeProblem(version)).toBeUndefined();
  });

  it.each(['v18.20.0', 'v20.18.3', 'v8.0.0', 'nonsense'])('%s is refused with WB1009 and what to do', (version) => {
    expect(findNodeProblem(version)).toMatch(new RegExp(`this is ${version}\\.\n {2}Fix .*\n {2}WB1009\n$`));
  });
});
