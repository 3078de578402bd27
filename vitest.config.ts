import { defineConfig } from 'vitest/config';
import { yamlModules } from './scripts/yaml-modules.ts';

export default defineConfig({
  plugins: [yamlModules.vite()],
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/faults/**', 'test/agents-real/**'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      reporter: ['text-summary', 'json-summary'],
      reportOnFailure: true,
    },
  },
});
