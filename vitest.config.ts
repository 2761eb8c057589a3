import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { readExtent } from './test/support/selection.ts';

// Node.js reads this file at every start, which takes longer than the start. Tests name their own certificates.
delete process.env.NODE_EXTRA_CA_CERTS;

const extent = readExtent();

/** The files of which `npm test` leaves something out. */
function largeFiles(): string[] {
  const files = readdirSync(join(import.meta.dirname, 'test'), { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => `test/${file.replaceAll('\\', '/')}`)
    .filter((file) =>
      /@module-tag (?:large|long|chance)|tags: '(?:long|chance)'/.test(
        readFileSync(join(import.meta.dirname, file), 'utf8'),
      ),
    );
}

const include = extent === 'rest' ? largeFiles() : ['test/**/*.test.ts'];
/** It replaces a module for the whole worker. */
const alone = ['test/architecture/call-path.test.ts'];

export default defineConfig({
  test: {
    projects: [
      // Files of a worker share their modules: loading them again for each file took longer than most tests.
      { extends: true, test: { name: 'shared', include, exclude: alone, isolate: false } },
      { extends: true, test: { name: 'alone', include: extent === 'rest' ? [] : alone } },
    ],
    globalSetup: ['test/support/run-folder.ts'],
    setupFiles: ['test/support/fresh-process.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // What passing tests print (warnings of the authorization server they run, say) would bury what failed.
    silent: 'passed-only',
    // Tests start real processes and wait for them: two cores have work for three files.
    maxWorkers: 3,
    tags: [
      { name: 'large', description: 'A file with large tables: `npm test` runs a selection of its tests.' },
      { name: 'long', description: 'A test that takes many seconds: `npm test` leaves it out.' },
      { name: 'chance', description: 'A file of chance: `npm test` runs a tenth of its seeds.' },
    ],
    ...(extent === 'all' ? {} : { runner: './test/support/selecting-runner.ts', includeTaskLocation: true }),
    coverage: { provider: 'v8', include: ['src/**'] },
  },
});
