// Command `cost`: its result as a table.
import { cost } from '../../app/cost.ts';
import type { CostReport, Spent } from '../../app/cost.ts';
import type { CostInput } from '../../app/input/archive.ts';
import { oneLine } from '../../base/text.ts';
import { performHereOrAtServer } from '../performed.ts';
import { toTextOutcome } from '../print.ts';
import type { Command } from '../spec.ts';

export const costCommand: Command<CostInput> = async (cli, input) => {
  const result = await performHereOrAtServer(
    cli,
    () => cost(cli, input),
    () => ({}),
  );
  return toTextOutcome(result, asTable(result.document));
};

const formatCostRowLabel = ({ key, program }: CostReport['rows'][number]): string =>
  oneLine(`${key ?? 'unknown'}${program ? ` (${program})` : ''}`, 60);

function asTable({ by, rows, total }: CostReport): string {
  if (rows.length === 0) return 'No launch has been recorded.';
  const line = (label: string, spent: Spent): string[] => [
    label,
    String(spent.launches),
    ...[spent.inputTokens, spent.cachedTokens, spent.outputTokens].map((count) =>
      count === null ? 'unknown' : String(count),
    ),
    spent.costUsd === null ? 'unknown' : spent.costUsd.toFixed(4),
  ];
  const lines = [
    [by, 'launches', 'input tokens', 'cached', 'output tokens', 'US$'],
    ...rows.map((row) => line(formatCostRowLabel(row), row)),
    line('total', total),
  ];
  const widthOf = (column: number): number => Math.max(...lines.map((cells) => cells[column]?.length ?? 0));
  const widths = lines[0]!.map((_, column) => widthOf(column));
  const table = lines.map((cells) =>
    cells
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
  return [...table, ...untold(total)].join('\n');
}

function untold({ unknownCost, unknownTokens, prompt, cachedTokens, inputTokens }: Spent): string[] {
  const percent = (part: number, whole: number): string => `${Math.round((100 * part) / whole)} %`;
  const launches = (count: number): string => `${count} launch${count === 1 ? '' : 'es'}`;
  return [
    ...(prompt.bytes > 0
      ? [
          `Cacheable: ${percent(prompt.cacheable, prompt.bytes)} of the prompts, which began like an earlier one of their council to the same program and model.`,
        ]
      : []),
    ...(cachedTokens !== null && inputTokens
      ? [`Cached: ${percent(cachedTokens, inputTokens)} of the input tokens were in the caches of providers.`]
      : []),
    ...(unknownCost > 0 ? [`${launches(unknownCost)} did not report a cost.`] : []),
    ...(unknownTokens > 0 ? [`${launches(unknownTokens)} did not report tokens.`] : []),
  ];
}
