// `npm run test:faults`: the long tests. `--runs N` says how many damaged project folders are played (test/faults/fuzz.test.ts),
// `--calls N` at how many calls of a command at most it is killed, or a call fails (`all`: at each); everything else goes to vitest.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';

const args = process.argv.slice(2);
const runs = takeOption(
  '--runs',
  /^[1-9]\d*$/,
  'a number from 1 on, for example: npm run test:faults -- --runs 20000',
);
const calls = takeOption('--calls', /^(?:[1-9]\d*|all)$/, 'a number from 1 on, or all');
const env = {
  FUZZ_SEED: String(Date.now() % 1_000_000),
  ...process.env,
  ...(runs !== undefined && { FUZZ_RUNS: runs }),
  ...(calls !== undefined && { FAULT_CALLS: calls }),
};
// What follows an option may be its value.
const names = args.filter((arg, at) => !arg.startsWith('-') && !/^-[^=]*$/.test(args[at - 1] ?? ''));
const strange = names.filter((name) => {
  const wanted = relative('.', resolve(name)).replace(/:\d+$/, '');
  return !listTests('test').some((file) => file.includes(wanted));
});
if (strange.length > 0) {
  console.error(`No test file has ${strange.map((one) => JSON.stringify(one)).join(', ')} in its name.`);
  console.error(
    `The faults are:\n${listTests('test/faults')
      .map((file) => `  ${basename(file, '.test.ts')}`)
      .join('\n')}`,
  );
  process.exit(2);
}
// The faults, all other tests whole, then the end-to-end tests on PostgreSQL and through a server. A file that is named lies in one of them.
const named = args.length > 0 ? ['--passWithNoTests', ...args] : [];
for (const what of [
  ['--config', 'vitest.faults.config.ts', ...named],
  ['--project', 'files', ...named],
  ['--project', 'postgres', ...named],
  ['--config', 'vitest.through.config.ts', ...named],
]) {
  const { status, error } = spawnSync('vitest', ['run', ...what], { stdio: 'inherit', env });
  if (error) throw error;
  if (status !== 0) process.exitCode = status ?? 1;
}

/** The paths of all files of tests below a folder. */
function listTests(folder: string): string[] {
  return fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join(folder, name))
    .sort();
}

/** Takes an option of this script out of the arguments; ends it where the value is none. */
function takeOption(name: string, form: RegExp, wanted: string): string | undefined {
  const at = args.findIndex((arg) => arg === name || arg.startsWith(`${name}=`));
  if (at === -1) return undefined;
  const [, inside] = args[at]!.split('=');
  const given = inside ?? args[at + 1] ?? '';
  if (!form.test(given)) {
    console.error(`${name} needs ${wanted}`);
    process.exit(2);
  }
  args.splice(at, inside === undefined ? 2 : 1);
  return given;
}
