// The page about growth: a row for each series, and how fast each grows.
import type { ProcessCost } from '../measure.ts';
import type { Machine } from '../machine.ts';
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

How costs grow with the size of things, measured by \`npm run bench:scale\`, which writes this page; [performance](performance.md) has the figures
beside their baselines. Processor time is what a process took with its start; memory is what it had at the smallest and at the largest size. The exponent is the slope of
a straight line through the logarithms of size and processor time, after the time of the smallest size was taken away: 1 is linear, 0 is flat.
`;

/** The page: a row for each series, and below it the machines. */
export function pageOf(measured: readonly Measured[]): string {
  const rows = [['Series', 'What', 'Processor time', 'Memory', 'Exponent'], Array<string>(5).fill('---')];
  rows.push(...measured.map(rowOf));
  const table = rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
  return `${[HEAD.trimEnd(), table, [...new Set(measured.map(whereOf))].join(' ')].join('\n\n')}\n`;
}

const whereOf = ({ machine: { date, node, system, cores, cpu } }: Measured): string =>
  `${date}, Node ${node}, ${system}, ${cores} cores (${cpu}).`;

/** The exponent of growth of a series; undefined for one that is flat. */
export function growthOf({ rows }: Pick<Measured, 'rows'>): number | undefined {
  const least = rows[0]?.cpu ?? 0;
  return exponentOf(
    rows.slice(1).map(({ size, cpu }) => ({ size, cost: cpu - least })),
    NOISE_MS,
  );
}

function rowOf(one: Measured): string[] {
  const { name, what, of, rows } = one;
  const costs = rows.map(({ size, cpu, facts }) => {
    const told = facts === undefined ? '' : ` (${facts})`;
    return `${Number(size.toFixed(3))}: ${cpu.toFixed(cpu < 10 ? 2 : 0)} ms${told}`;
  });
  const memory = `${Math.round(rows.at(0)?.mb ?? 0)} to ${Math.round(rows.at(-1)?.mb ?? 0)} MB`;
  return [name, what, `by ${of}: ${costs.join(', ')}`, memory, growthOf(one)?.toFixed(2) ?? 'flat'];
}
