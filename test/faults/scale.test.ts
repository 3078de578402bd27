// The command that measures growth, at small sizes: the series that play whole runs and many ticks.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

it('measures runs and ticks', async () => {
  const args = ['run', '--silent', 'bench:scale', '--', '--small', '--dry', '--only', 'run,ticks'];
  const { stdout } = await promisify(execFile)('npm', args, { cwd: join(import.meta.dirname, '..', '..') });
  for (const name of ['run', 'ticks']) expect(stdout).toContain(`\n| ${name} | `);
  expect(stdout).toContain('6 contributions');
  expect(stdout).not.toMatch(/NaN|undefined/);
});
