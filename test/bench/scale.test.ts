// How growth is measured: the exponent, the page, and the command at small sizes.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { exponentOf } from '../../bench/scale/fit.ts';
import { growthOf, pageOf } from '../../bench/scale/page.ts';
import { IS_SHORT } from '../helpers/long.ts';

const long = it.skipIf(IS_SHORT);

const grown = (cost: (size: number) => number) =>
  [1, 10, 100, 1000].map((size) => ({ size, cost: cost(size) }));

describe('the exponent of growth', () => {
  it('is that of the power that a cost follows', () => {
    for (const exponent of [0, 0.5, 1, 2])
      expect(
        exponentOf(
          grown((size) => 10 * size ** exponent),
          1,
        ),
      ).toBeCloseTo(exponent, 10);
  });

  it('leaves out what cannot be told from nothing', () => {
    expect(
      exponentOf(
        grown((size) => (size < 50 ? 2 : size)),
        3,
      ),
    ).toBeCloseTo(1, 10);
    expect(
      exponentOf(
        grown(() => 2),
        3,
      ),
    ).toBeUndefined();
    expect(exponentOf([{ size: 0, cost: 99 }], 3)).toBeUndefined();
  });
});

const series = (cpus: number[]) => ({
  name: 'tick',
  what: 'council tick',
  of: 'councils',
  machine: { date: '2026-01-02', node: 'v24', system: 'Linux', cores: 2, cpu: 'x', load: 0, loadAfter: 1 },
  rows: cpus.map((cpu, at) => ({ size: 10 ** at, cpu, ms: cpu + 5, mb: 60, facts: `row ${at}` })),
});

it('the page tells sizes, costs and growth, the cost of nothing taken away', () => {
  const linear = series([50, 150, 1050, 10_050]);
  expect(growthOf(linear)).toBeCloseTo(1, 10);
  expect(growthOf(series([50, 51, 49, 52]))).toBeUndefined();
  const page = pageOf([linear]);
  expect(page).toContain('| tick | council tick | by councils: 1: 50 ms (row 0), 10: 150 ms (row 1), ');
  expect(page).toContain('1000: 10050 ms (row 3) | 60 to 60 MB | 1.00 |\n\n2026-01-02, Node v24');
});

long('the command measures small sizes, and writes nothing with --dry', { timeout: 300_000 }, async () => {
  const args = ['run', '--silent', 'bench:scale', '--', '--small', '--dry', '--only', 'show,commit'];
  const { stdout } = await promisify(execFile)('npm', args, {
    cwd: join(import.meta.dirname, '..', '..'),
    shell: process.platform === 'win32',
  });
  for (const name of ['show', 'commit']) expect(stdout).toContain(`\n| ${name} | `);
  expect(stdout).not.toMatch(/NaN|undefined/);
});
