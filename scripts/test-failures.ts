// A reporter for `npm test`: what failed, said once more at the end, where it is found again in a long output.
import { relative } from 'node:path';
import type { TestModule } from 'vitest/node';

interface Thrown {
  message?: string;
  stack?: string;
  stacks?: readonly { file: string; line: number }[];
  VITEST_TEST_PATH?: unknown;
  VITEST_TEST_NAME?: unknown;
}

const MOST_LINES = 6;

// Vitest makes one of what the file exports by default.
export default class TestFailures {
  onTestRunEnd(modules: readonly TestModule[], outside: readonly Thrown[]): void {
    for (const module of modules)
      for (const test of module.children.allTests('failed'))
        say(`${module.relativeModuleId} > ${test.fullName}`, test.result().errors?.[0]);
    for (const error of outside)
      say(
        `outside of a test, after ${relative('.', String(error.VITEST_TEST_PATH))} > ${String(error.VITEST_TEST_NAME)}`,
        error,
      );
  }
}

function say(where: string, error: Thrown | undefined): void {
  const text = (error?.stack ?? error?.message ?? '').split('\n').slice(0, MOST_LINES);
  console.error([`FAILED: ${where}`, ...text.map((line) => `  ${line}`)].join('\n'));
}
