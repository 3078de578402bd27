// `npm run test:faults`: the long tests. `--runs N` says how many damaged project folders are played (test/faults/fuzz.test.ts);
// everything else goes to vitest.
import { spawnSync } from 'node:child_process';
import { LONG, PARTLY_LONG } from '../test/helpers/long.ts';

const args = process.argv.slice(2);
const at = args.findIndex((arg) => arg === '--runs' || arg.startsWith('--runs='));
const given = at === -1 ? undefined : (args[at]!.split('=')[1] ?? args[at + 1]);
if (at !== -1) {
  if (!/^[1-9]\d*$/.test(given ?? '')) {
    console.error(`--runs needs a number from 1 on, for example: npm run test:faults -- --runs 20000`);
    process.exit(2);
  }
  args.splice(at, args[at]!.includes('=') ? 1 : 2);
}
const env = {
  FUZZ_SEED: String(Date.now() % 1_000_000),
  ...process.env,
  ...(given !== undefined && { FUZZ_RUNS: given }),
};
// The faults, the long end-to-end tests, then those on PostgreSQL and through a server. A file that is named lies in one of them.
const named = args.length > 0 ? ['--passWithNoTests', ...args] : [];
const long = [...LONG, ...PARTLY_LONG].filter(
  (path) => args.length === 0 || args.some((arg) => path.includes(arg)),
);
for (const what of [
  ['--config', 'vitest.faults.config.ts', ...named],
  ...(long.length > 0 ? [['--project', 'files', ...long]] : []),
  ['--project', 'postgres', ...named],
  ['--config', 'vitest.through.config.ts', ...named],
]) {
  const { status, error } = spawnSync('vitest', ['run', ...what], { stdio: 'inherit', env });
  if (error) throw error;
  if (status !== 0) process.exitCode = status ?? 1;
}
