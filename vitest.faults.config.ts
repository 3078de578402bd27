import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { PATIENCE_MS } from './test/helpers/patience.ts';

// Faults are put into the built command line, so it must be there and of today.
const built = spawnSync(
  process.execPath,
  [join(import.meta.dirname, 'scripts/build.ts'), '--if-needed', '--no-types'],
  {
    stdio: 'inherit',
  },
);
if (built.status !== 0) throw new Error('The build failed: see above.');

/** `npm run test:faults`: long, one file after the other; some of it needs root, some needs strace. */
export default defineConfig({
  test: {
    include: ['test/faults/**/*.test.ts'],
    globalSetup: ['test/helpers/postgres/on-demand.ts', 'test/helpers/ready.ts'],
    fileParallelism: false,
    testTimeout: 900_000,
    expect: { poll: { timeout: PATIENCE_MS } },
    hookTimeout: 120_000,
  },
});
