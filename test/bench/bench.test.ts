// How figures are judged, the tables of the page about performance, and the command with few rounds.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { intervalOf, resultOf } from '../../bench/figure.ts';
import type { Figure, Timings } from '../../bench/figure.ts';
import { pageOf, tableOf } from '../../bench/page.ts';
import type { Measured } from '../../bench/page.ts';
import { IS_SHORT } from '../helpers/long.ts';

const figure: Figure = {
  name: 'tick',
  what: 'council tick',
  against: 'a look',
  goal: 1.3,
  why: 'Its goal is missed by the start of Node.',
  measure: () => Promise.reject(new Error('nothing is measured')),
};
const machine = {
  date: '2026-01-02',
  node: 'v24',
  system: 'Linux',
  cores: 2,
  cpu: 'x',
  load: 0,
  loadAfter: 1,
};

const measured = (
  timings: Timings,
  facts: Partial<Figure> = {},
  place: Measured['place'] = 'disk',
): Measured => ({
  ...resultOf({ ...figure, ...facts }, timings),
  place,
  machine,
});

describe('a figure', () => {
  it('is judged by the median of the ratios of its rounds', () => {
    const { wall, met } = resultOf(figure, { figure: [12, 60, 26], baseline: [10, 30, 20] });
    expect(wall).toEqual({ figure: 26, baseline: 20, ratio: 1.3, interval: [1.2, 2] });
    expect(met).toBe(true);
  });

  it('is judged by processor time where that is known, unless what counts is waiting', () => {
    const timings = { figure: [30], baseline: [10], cpu: { figure: [10], baseline: [10] } };
    expect(resultOf(figure, timings).met).toBe(true);
    expect(resultOf({ ...figure, waits: true }, timings).met).toBe(false);
  });

  it('has an allowance on top of its goal, or no baseline at all, and a limit of memory', () => {
    const timings = { figure: [300], baseline: [100], mb: [119] };
    expect(resultOf({ ...figure, goal: 2, allowanceMs: 100 }, timings).met).toBe(true);
    expect(resultOf({ ...figure, goal: 0, allowanceMs: 299 }, timings).met).toBe(false);
    expect(resultOf({ ...figure, goal: 3, mostMb: 120 }, timings).met).toBe(true);
    expect(resultOf({ ...figure, goal: 3, mostMb: 118 }, timings).met).toBe(false);
    expect(resultOf({ ...figure, goal: null }, timings).met).toBeNull();
  });

  it('tells between what its median lies: by ranks, and all of a few rounds', () => {
    const values = Array.from({ length: 100 }, (_, at) => at);
    expect(intervalOf(values.toReversed())).toEqual([40, 59]);
    expect(intervalOf([3, 1, 2])).toEqual([1, 3]);
    expect(intervalOf([7])).toEqual([7, 7]);
  });
});

describe('the tables of the page', () => {
  const quick = measured({ figure: [12], baseline: [10], cpu: { figure: [11], baseline: [10] }, mb: [50] });
  const slow = measured({ figure: [20], baseline: [10] }, {}, 'tmpfs');

  it('have a row for each place, and say why a goal is missed', () => {
    const table = tableOf([quick, slow]);
    expect(table).toContain(
      '| tick | disk | 12.0 over 10.0 ms: 1.20 | 11.0 over 10.0 ms: 1.10 | 50 MB | ≤ 1.3 | yes | 0 to 1 |',
    );
    expect(table).toContain('| tick | tmpfs | 20.0 over 10.0 ms: 2.00 |  |  | ≤ 1.3 | no | 0 to 1 |');
    expect(table).toContain(
      '- tick: council tick, against a look (1 rounds; 99 of 100 within 12.0 ms and 20.0 ms). Its goal is missed by the start of Node.',
    );
    expect(table).toMatch(/\n2026-01-02, Node v24, Linux, 2 cores \(x\)\.$/);
  });

  it('say why of no goal that is met, and that there was no tmpfs', () => {
    const table = tableOf([quick]);
    expect(table).not.toContain('missed');
    expect(table).toMatch(/There was no tmpfs \(\/dev\/shm\)\.$/);
  });

  it('stand between their marks, and leave the rest of the page alone', () => {
    const page = 'Before.\n\n<!-- figures: use -->\nold\n<!-- /figures -->\n\nAfter.\n';
    const section = { name: 'use', figures: [figure] };
    const written = pageOf(page, [section], [quick]);
    expect(written.split('\n')[0]).toBe('Before.');
    expect(written).toMatch(/\n\n<!-- \/figures -->\n\nAfter\.\n$/);
    expect(written).not.toContain('old');
    expect(pageOf(written, [section], [quick])).toBe(written);
    expect(() => pageOf('', [section], [quick])).toThrow('<!-- figures: use -->');
  });
});

it.skipIf(IS_SHORT)(
  'the command plays few rounds, writes nothing then, and knows its figures',
  { timeout: 300_000 },
  async () => {
    const page = join(import.meta.dirname, '../../docs/performance.md');
    const before = readFileSync(page, 'utf8');
    const bench = (...args: string[]) =>
      promisify(execFile)('npm', ['run', '--silent', 'bench', '--', ...args], {
        cwd: join(import.meta.dirname, '..', '..'),
        shell: process.platform === 'win32',
      });
    const { stdout } = await bench('--rounds', '1', '--only', 'version,commit');
    for (const name of ['version', 'commit']) expect(stdout).toContain(`\n| ${name} | `);
    expect(stdout).not.toMatch(/NaN|undefined|null/);
    expect(readFileSync(page, 'utf8')).toBe(before);
    await expect(bench('--only', 'speed')).rejects.toThrow('There is no figure "speed". Figures: version, ');
  },
);
