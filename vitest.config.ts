import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { IS_SHORT, LONG } from './test/helpers/long.ts';
import { PATIENCE_MS } from './test/helpers/patience.ts';
import { ON_POSTGRES } from './test/helpers/postgres/on-postgres.ts';
import { UNITS } from './test/helpers/units.ts';

/** `npm test` has played them already, with their branches counted. */
const COVERED = ['machine', 'document', 'vote'].map((name) => `test/core/council/${name}/**`);

const FILES = {
  name: 'files',
  include: ['test/**/*.test.ts'],
  globalSetup: ['test/helpers/postgres/on-demand.ts', 'test/helpers/ready.ts'],
};

/** To load the modules anew for each of these takes as long as the tests themselves. */
const IN_ROWS = {
  extends: true,
  test: { name: 'units', include: UNITS, isolate: false, env: { COUNCIL_TEST_MODULES: 'shared' } },
};

/** The end-to-end tests once more, on projects that a database keeps: in `npm run test:faults`. */
const ON_DATABASE = {
  extends: true,
  test: {
    name: 'postgres',
    include: ON_POSTGRES.map((name) => `test/e2e/${name}.test.ts`),
    globalSetup: ['test/helpers/postgres/on-demand.ts', 'test/helpers/ready.ts'],
    setupFiles: ['test/helpers/postgres/skip-without.ts'],
    env: { COUNCIL_TEST_STORE: 'postgres' },
  },
};

export default defineConfig({
  test: {
    exclude: ['test/faults/**', 'test/agents-real/**', ...(IS_SHORT ? [...LONG, ...COVERED] : [])],
    setupFiles: ['test/helpers/property-seed.ts'],
    testTimeout: 180_000,
    expect: { poll: { timeout: PATIENCE_MS } },
    hookTimeout: 180_000,
    // Most of the time goes to programs that are waited for: two workers leave a machine with two cores a third idle.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    // The files that decide: every branch of them must be covered, by the tests of their own folders alone (`npm run coverage`).
    // Counting branches takes half as much time again, so the other tests go without it.
    coverage: {
      provider: 'v8',
      include: [
        'machine/transition',
        'machine/close',
        'machine/next-phase',
        'machine/hold',
        'document/document',
        'vote/decision',
      ].map((name) => `src/core/council/${name}.ts`),
      reporter: ['text'],
      thresholds: { branches: 100, perFile: true },
    },
    projects: IS_SHORT
      ? [IN_ROWS, { extends: true, test: { ...FILES, exclude: UNITS } }]
      : [{ extends: true, test: FILES }, ON_DATABASE],
  },
});
