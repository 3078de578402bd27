import { costReport, COST_KEYS } from '../../archive/cost.ts';
import type { CostReport, CouncilUsage } from '../../archive/cost.ts';
import { archiveMetas } from '../../archive/read.ts';
import { CouncilError } from '../../base/errors.ts';
import { oneLine } from '../../base/text.ts';
import type { Spent } from '../../council/state/usage.ts';
import { activeStates } from '../../app/active.ts';
import type { LegacyCommand } from '../spec.ts';
import { openWorkspace } from '../../app/workspace.ts';

export const costCommand: LegacyCommand = async (cli, _args, options) => {
  const by = COST_KEYS.find((key) => key === (options.by ?? 'agent'));
  if (!by) {
    throw new CouncilError('usage', `Cannot sum by ${JSON.stringify(options.by)}.`, {
      hint: `Sum by one of: ${COST_KEYS.join(', ')}.`,
    });
  }
  const since = options.since === undefined ? null : day(String(options.since));
  const workspace = openWorkspace(cli);
  const { metas, problems } = await archiveMetas(workspace.ports.archives);
  const { states, unreadable } = await activeStates(workspace);
  for (const { message } of problems) cli.note(message);
  for (const { name, error } of unreadable) cli.note(`council "${name}": ${error.message}`);
  const archived = new Set(metas.map(({ conversationId }) => conversationId));
  const councils: CouncilUsage[] = [
    ...metas.map(({ id, usage }) => ({ council: id, usage })),
    // One that is being archived is in both places for a moment.
    ...states
      .filter(({ conversationId }) => !archived.has(conversationId))
      .map(({ name, usage = [] }) => ({ council: name, usage })),
  ];
  const report = costReport(councils, by, since);
  return { json: report, text: asTable(report), exitCode: unreadable.length > 0 ? 1 : 0 };
};

function day(text: string): string {
  const found = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : undefined;
  if (found && !Number.isNaN(found.getTime()) && found.toISOString().startsWith(text)) return text;
  throw new CouncilError('usage', `Not a date: ${JSON.stringify(text)}.`, {
    hint: 'Give a day in UTC, for example --since 2026-11-01.',
  });
}

function asTable({ by, rows, total }: CostReport): string {
  if (rows.length === 0) return 'No launch has been recorded.';
  const line = (label: string, spent: Spent): string[] => [
    label,
    String(spent.launches),
    ...[spent.inputTokens, spent.outputTokens].map((count) => (count === null ? 'unknown' : String(count))),
    spent.costUsd === null ? 'unknown' : spent.costUsd.toFixed(4),
  ];
  const lines = [
    [by, 'launches', 'input tokens', 'output tokens', 'US$'],
    ...rows.map((row) => line(oneLine(row.key ?? 'unknown', 60), row)),
    line('total', total),
  ];
  const widths = lines[0]!.map((_, column) => Math.max(...lines.map((cells) => cells[column]!.length)));
  const table = lines.map((cells) =>
    cells
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!)))
      .join('  ')
      .trimEnd(),
  );
  return [...table, ...untold(total)].join('\n');
}

function untold({ unknownCost, unknownTokens }: Spent): string[] {
  const launches = (count: number): string => `${count} launch${count === 1 ? '' : 'es'}`;
  return [
    ...(unknownCost > 0 ? [`${launches(unknownCost)} did not report a cost.`] : []),
    ...(unknownTokens > 0 ? [`${launches(unknownTokens)} did not report tokens.`] : []),
  ];
}
