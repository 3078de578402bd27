import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// The agents meet the built command line, so it must be there and of today.
const built = spawnSync(
  process.execPath,
  [join(import.meta.dirname, 'scripts/build.ts'), '--if-needed', '--no-types'],
  { stdio: 'inherit' },
);
if (built.status !== 0) throw new Error('The build failed: see above.');

/**
 * `npm run test:agents`: the real agent programs, installed first, against a model server on this machine; and two small models
 * that really answer. `-- --project programs` or `-- --project models` plays one of these.
 */
export default defineConfig({
  test: {
    // One council at a time: an agent program takes a core for itself while it starts.
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 60_000,
    reporters: ['verbose'],
    projects: [
      {
        extends: true,
        test: {
          name: 'programs',
          include: ['test/agents-real/*.test.ts'],
          globalSetup: ['test/agents-real/install.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'models',
          include: ['test/agents-real/small-models/*.test.ts'],
          globalSetup: ['test/agents-real/small-models/install.ts'],
        },
      },
    ],
  },
});
