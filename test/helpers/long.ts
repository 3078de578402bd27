// End-to-end files that take long, and whose promises shorter tests or contract suites hold too: `npm run test:faults` plays them.
export const LONG = [
  'crash',
  'delivery',
  'elsewhere',
  'fuzz',
  'interruption',
  'serve-blind',
  'serve-quotes',
  'serve-tokens',
  'tasks-attacked',
  'tasks-elsewhere',
  'tasks-killed',
  'tasks-messy',
  'workers-attacked',
  'workers-tasks',
].map((name) => `test/e2e/${name}.test.ts`);
