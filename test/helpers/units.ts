// Which files `npm test` plays in a row in one process: each finds the modules that those before it have loaded.
import { globSync } from 'node:fs';

/** Folders of tests that call functions. */
const FOLDERS = ['core', 'panel', 'program', 'review', 'server', 'team'];

/** Files in there that start programs, which end with their file: each has modules of its own. */
const WITH_PROGRAMS = [
  'core/agents/runners/detect-programs',
  'core/agents/runners/guardian',
  'core/agents/runners/mcp-tools',
  'core/agents/runners/process-group',
  'core/store/file/disk',
  'core/store/file/trust-book',
  'review/github/review-pull-request',
  'server/http/api',
  'server/http/events',
  'server/http/fuzz',
  'server/http/openapi-client',
  'server/http/server',
  'server/http/slow',
  'server/remote/light-calls',
  'server/remote/seat-token-holders',
].map((name) => `test/${name}.test.ts`);

export const UNITS = globSync(FOLDERS.map((name) => `test/${name}/**/*.test.ts`))
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => !WITH_PROGRAMS.includes(path));
