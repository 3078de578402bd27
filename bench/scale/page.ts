// The page about growth: a table and a plot for each series, and how fast each grows.
import type { ProcessCost } from '../measure.ts';
import type { Machine } from '../machine.ts';
import { svgOf } from './chart.ts';
import { exponentOf } from './fit.ts';
import type { Series } from './series.ts';

/** A series as it was measured. */
export interface Measured extends Pick<Series, 'name' | 'what' | 'of'> {
  machine: Machine & { loadAfter: number };
  rows: (ProcessCost & { size: number; facts?: string })[];
}

/** Milliseconds: less than this on top of the cost of nothing may be the machine's mood. */
const NOISE_MS = 3;

const HEAD = `# Growth

How costs grow with the size of things. \`npm run bench:scale\` measures this and writes this page; [performance](performance.md)
has the figures beside their baselines. Processor time is what a process took with its start, so that other load does not count much;
memory is the most it had. The exponent is the slope of a straight line through the logarithms of size and processor time, after the
time of the smallest size was taken away: 1 is linear, 0 is flat, and "flat" stands where nothing was left to fit.
`;

/** The page, and its plots by file name. */
export function pageOf(measured: readonly Measured[]): { page: string; plots: Map<string, string> } {
  const plots = new Map(measured.map((one) => [`${one.name}.svg`, plotOf(one)]));
  const parts = measured.map((one) =>
    [
      `## ${one.name}`,
      `${one.what[0]!.toUpperCase()}${one.what.slice(1)}. ${grows(one)}`,
      tableOf(one),
      `![Processor time of ${one.name} by ${one.of}](growth/${one.name}.svg)`,
      whereOf(one),
    ].join('\n\n'),
  );
  return { page: `${[HEAD.trimEnd(), ...parts].join('\n\n')}\n`, plots };
}

const whereOf = ({ machine: { date, node, system, cores, cpu, load, loadAfter } }: Measured): string =>
  `${date}, Node ${node}, ${system}, ${cores} cores (${cpu}), load ${load} before and ${loadAfter} after.`;

/** The exponent of growth of a series; undefined for one that is flat. */
export function growthOf({ rows }: Pick<Measured, 'rows'>): number | undefined {
  const least = rows[0]?.cpu ?? 0;
  return exponentOf(
    rows.slice(1).map(({ size, cpu }) => ({ size, cost: cpu - least })),
    NOISE_MS,
  );
}

function grows(one: Measured): string {
  const exponent = growthOf(one);
  return exponent === undefined ? 'Growth: flat.' : `Growth: exponent ${exponent.toFixed(2)}.`;
}

function tableOf({ of, rows }: Measured): string {
  const hasFacts = rows.some(({ facts }) => facts !== undefined);
  const head = [of, 'processor time', 'wall time', 'memory', ...(hasFacts ? [''] : [])];
  const lines = rows.map(({ size, cpu, ms, mb, facts = '' }) => [
    String(Number(size.toFixed(3))),
    `${cpu.toFixed(cpu < 10 ? 2 : 0)} ms`,
    `${ms.toFixed(ms < 10 ? 2 : 0)} ms`,
    `${Math.round(mb)} MB`,
    ...(hasFacts ? [facts] : []),
  ]);
  return [head, head.map(() => '---:'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Both axes in powers of ten, or nearly: the sizes are about a decade apart. */
function plotOf({ name, of, rows }: Measured): string {
  const powers = rows.map(({ cpu }) => Math.log10(Math.max(cpu, 0.01)));
  return svgOf({
    title: `${name}: processor time by ${of}`,
    x: { label: of, ticks: rows.map(({ size }) => Number(size.toFixed(3))) },
    y: {
      label: 'ms, as a power of ten',
      min: Math.floor(Math.min(...powers)),
      max: Math.ceil(Math.max(...powers)),
      step: 1,
    },
    lines: [{ name, values: powers }],
  });
}
