/**
 * `npm test`: the tests from a fresh clone, of the large ones a selection (test/support/selection.ts). Arguments are passed on to the
 * test runner, and what they name runs whole: `npm test -- test/contract`. `WORKBENCH_TESTS=all npm test` runs everything.
 */
import { prepare, runTests } from './prepare.mjs';

prepare();
process.exit(runTests(process.argv.slice(2)));
