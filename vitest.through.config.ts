import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { PATIENCE_MS } from './test/helpers/patience.ts';
import { ON_POSTGRES } from './test/helpers/postgres/on-postgres.ts';
import { THROUGH_SERVER } from './test/helpers/through-server.ts';

// The command line and the server are the built ones.
const built = spawnSync(
  process.execPath,
  [join(import.meta.dirname, 'scripts/build.ts'), '--if-needed', '--no-types'],
  { stdio: 'inherit' },
);
if (built.status !== 0) throw new Error('The build failed: see above.');

const include = (names: readonly string[]): string[] => names.map((name) => `test/e2e/${name}.test.ts`);
const SKIPS = ['test/helpers/skip-through.ts'];

/** In `npm run test:faults`: end-to-end tests whose commands have a server do what it can, one file after the other. */
export default defineConfig({
  test: {
    globalSetup: ['test/helpers/postgres/on-demand.ts', 'test/helpers/ready.ts'],
    fileParallelism: false,
    testTimeout: 300_000,
    expect: { poll: { timeout: PATIENCE_MS } },
    hookTimeout: 120_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'through',
          include: include(THROUGH_SERVER),
          setupFiles: ['test/helpers/property-seed.ts', ...SKIPS],
          env: { COUNCIL_TEST_THROUGH: 'server' },
        },
      },
      // The same on projects that a database keeps, as far as these are played there.
      {
        extends: true,
        test: {
          name: 'through-postgres',
          include: include(THROUGH_SERVER.filter((name) => ON_POSTGRES.includes(name))),
          setupFiles: ['test/helpers/property-seed.ts', 'test/helpers/postgres/skip-without.ts', ...SKIPS],
          env: { COUNCIL_TEST_THROUGH: 'server', COUNCIL_TEST_STORE: 'postgres' },
        },
      },
    ],
  },
});
