/** Runs the part of a large file that this run is for: files tagged `large`, and tests tagged `long`, which `npm test` leaves out. */
import type {
  RunnerTask,
  RunnerTaskEventPack,
  RunnerTaskResultPack,
  RunnerTestCase,
  RunnerTestFile,
  RunnerTestSuite,
} from 'vitest';
import { TestRunner } from 'vitest';
import { type Selectable, selectTests } from './select-tests.ts';
import { type Extent, readExtent } from './selection.ts';

export default class SelectingRunner extends TestRunner {
  async onCollected(files: RunnerTestFile[]): Promise<void> {
    const extent = readExtent();
    if (extent === 'all') return;
    for (const file of files) {
      const left = leaveOut(file, extent);
      leaveEmptySuites(file);
      // The reporter was told of them before; it counts what is left out only when it is told.
      await this.onTaskUpdate(
        left.map(({ id, meta }) => [id, { state: 'skip' }, meta]),
        [],
      );
    }
  }

  /** Vitest puts the one that tells the reporter in its place. */
  async onTaskUpdate(_packs: RunnerTaskResultPack[], _events: RunnerTaskEventPack[]): Promise<void> {}
}

function leaveOut(file: RunnerTestFile, extent: Extent): RunnerTestCase[] {
  const tests = testsOf(file).filter(({ mode }) => mode === 'run' || mode === 'queued');
  const large = tests.filter(({ tags = [] }) => tags.includes('large') && !tags.includes('long'));
  const selected = selectTests(large.map(toSelectable));
  const inMost = new Set(large.filter((_, index) => selected.has(index)));
  const isInMost = (test: RunnerTestCase) => {
    const { tags = [] } = test;
    return inMost.has(test) || (!tags.includes('large') && !tags.includes('long'));
  };
  // A test of chance runs both times: all of its seeds in the second run.
  const left = tests.filter((test) => !test.tags?.includes('chance') && isInMost(test) !== (extent === 'most'));
  for (const test of left) test.mode = 'skip';
  return left;
}

function toSelectable(test: RunnerTestCase): Selectable {
  const suites: RunnerTestSuite[] = [];
  for (let suite = test.suite; suite !== undefined; suite = suite.suite) suites.unshift(suite);
  // What a helper made outside the file has no place of its own there; what it stands in has one.
  const { line, column } = [...suites, test].findLast(({ location }) => location !== undefined)?.location ?? {};
  return { place: `${line}:${column}`, suites: suites.map(({ name }) => name), title: test.name };
}

function testsOf(suite: RunnerTestSuite): RunnerTestCase[] {
  return suite.tasks.flatMap((task) => (task.type === 'suite' ? testsOf(task) : [task]));
}

/** What a suite prepares for its tests is not prepared for none. */
function leaveEmptySuites(suite: RunnerTestSuite): void {
  for (const task of suite.tasks) if (task.type === 'suite') leaveEmptySuites(task);
  const isRun = ({ mode }: RunnerTask) => mode === 'run' || mode === 'queued';
  if (suite.tasks.length > 0 && !suite.tasks.some(isRun)) suite.mode = 'skip';
}
