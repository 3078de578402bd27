// `npm test`: everything that must hold before a change is done, and one line at the end
// that counts them: `N passed, N failed`.
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const scratch = mkdtempSync(join(tmpdir(), 'council-test-'));
const report = join(scratch, 'report.json');

/** Steps beside the build and the tests proper; each counts as one, the longest first. */
const steps: [name: string, ...argv: string[]][] = [
  // A larger space for what is young: collecting it took a fifth of the time.
  ['types and rules', 'node', '--max-semi-space-size=64', 'scripts/lint.ts'],
  ['documents', 'node', 'scripts/docs.ts', '--check'],
  ['coverage', 'npm', 'run', 'coverage'],
  ['dead exports', 'knip'],
  ['format', 'prettier', '--check', '--log-level', 'warn', '.'],
  ['package', 'publint'],
];

let passed = 0;
let failed = 0;

// `npm ci` has just built a fresh clone.
count('build', run('node', ['scripts/build.ts', '--if-needed']) === 0);
// Two at a time: each is mostly one process.
await Promise.all(Array.from({ length: 2 }, nextStep));

// The long ones are played by `npm run test:faults`.
process.env.COUNCIL_TESTS = 'short';
const clean =
  run('vitest', [
    'run',
    '--reporter=default',
    '--reporter=json',
    '--reporter=./scripts/test-failures.ts',
    `--outputFile.json=${report}`,
  ]) === 0;
const results = JSON.parse(readFileSync(report, 'utf8')) as {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  testResults: { status: string; name: string; assertionResults: unknown[] }[];
};
passed += results.numPassedTests;
failed += results.numFailedTests;
// A file that breaks before its first test has no failed test of its own.
for (const file of results.testResults)
  if (file.status === 'failed' && file.assertionResults.length === 0) count(file.name, false);
// An error outside of any test (a promise nobody waited for) fails the run without failing a test.
if (!clean && results.numFailedTests === 0) count('errors outside of tests', false);
rmSync(scratch, { recursive: true });

console.log(
  `${passed} passed, ${failed} failed${results.numPendingTests > 0 ? `, ${results.numPendingTests} skipped` : ''}`,
);
process.exitCode = failed > 0 ? 1 : 0;

async function nextStep(): Promise<void> {
  for (let step = steps.shift(); step; step = steps.shift()) {
    const [name, command, ...args] = step;
    const ended = await new Promise<{ ok: boolean; output: string }>((resolve) =>
      execFile(command!, args, { maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) =>
        resolve({ ok: error === null, output: stdout + stderr }),
      ),
    );
    console.log(`\n> ${step.slice(1).join(' ')}\n${ended.output}`);
    count(name, ended.ok);
  }
}

function run(command: string, args: string[]): number {
  console.log(`\n> ${command} ${args.join(' ')}`);
  const { status, error } = spawnSync(command, args, {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (error) console.error(String(error));
  return status ?? 1;
}

function count(name: string, ok: boolean): void {
  if (ok) passed++;
  else failed++;
  console.log(`${ok ? 'ok' : 'FAILED'}: ${name}`);
}
