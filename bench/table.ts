import type { Result } from './figure.ts';
import type { Machine } from './machine.ts';

/** A report as Markdown: the machine in one line, then one row a figure. */
export function asTable(report: Machine & { loadAfter: number; figures: Result[] }): string {
  const { date, node, system, cores, cpu, load, loadAfter, figures } = report;
  const head = [
    'figure',
    'median',
    'baseline',
    'surplus',
    'ratio',
    'middle half',
    'of processor time',
    'goal',
    'met',
  ];
  const rows = [head, head.map((_, at) => (at === 0 ? '---' : '---:')), ...figures.map(cells)];
  return [
    `${date}, Node ${node}, ${system}, ${cores} cores (${cpu}), load ${load} before and ${loadAfter} after.`,
    '',
    ...rows.map((row) => `| ${row.join(' | ')} |`),
    '',
    ...figures.map(
      ({ name, what, against, rounds, p99Ms }) =>
        `- ${name}: ${what}, against ${against} (${rounds} rounds; p99 ${inMs(p99Ms)}).`,
    ),
  ].join('\n');
}

function cells({
  name,
  ms,
  baselineMs,
  surplusMs,
  ratio,
  ratioQuartiles,
  goal,
  allowanceMs,
  stretch,
  cpu,
  mb,
  mostMb,
  met,
}: Result): string[] {
  const more = `${allowanceMs === null ? '' : ` + ${allowanceMs} ms`}${stretch === null ? '' : ` (${stretch})`}`;
  const ratioGoal = goal === 0 ? `≤ ${allowanceMs} ms` : `≤ ${goal}${more}`;
  const goals = goal === null ? 'none' : `${ratioGoal}${mostMb === null ? '' : `, ${mostMb} MB`}`;
  const verdict = met === null ? '' : met ? 'yes' : 'no';
  return [
    name,
    inMs(ms),
    inMs(baselineMs),
    inMs(surplusMs),
    ratio.toFixed(2),
    ratioQuartiles.map((r) => r.toFixed(2)).join(' to '),
    cpu === null ? '' : `${inMs(cpu.ms)}, ${cpu.ratio.toFixed(2)}${mb === null ? '' : `; ${mb} MB`}`,
    goals,
    verdict,
  ];
}

const inMs = (value: number): string => `${value.toFixed(Math.abs(value) < 10 ? 2 : 1)} ms`;
