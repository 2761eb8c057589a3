import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // What passing tests print (warnings of the authorization server they run, say) would bury what failed.
    silent: 'passed-only',
    // Tests start real processes; more files at once than cores only makes them wait for each other.
    maxWorkers: 2,
    coverage: { provider: 'v8', include: ['src/**'] },
  },
});
