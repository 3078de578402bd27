import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/faults/**', 'test/agents-real/**'],
    globalSetup: ['test/helpers/postgres/on-demand.ts'],
    setupFiles: ['test/helpers/property-seed.ts'],
    testTimeout: 180_000,
    hookTimeout: 60_000,
    // Most of the time goes to programs that are waited for: one worker would leave a machine with two cores half idle.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      reporter: ['text-summary', 'json-summary'],
      reportOnFailure: true,
    },
  },
});
