// Tables of workers: candidates for a task, and statistics about their tasks.
import { formatMoney, loadWords } from '../../core/base/words/words.ts';
import { formatDuration } from '../../core/base/duration.ts';
import { toOneLine, formatCount } from '../../core/base/text.ts';
import type { AgentsMetrics } from '../tasks/use/agent-metrics.ts';
import type { TaskResult } from '../tasks/use/manage-tasks.ts';
import { formatLocalTime } from '../../core/base/local-time.ts';
import type { Cli } from '../../core/cli/io.ts';
import { pageOptions } from '../../core/cli/print.ts';
import { renderTableLines } from '../../core/cli/render-table.ts';

export const NOBODY = 'No agent that does tasks yet. Add one: council agents add NAME -- COMMAND';

type ShownMetrics = AgentsMetrics['agents'][number];
type ToolMetrics = ShownMetrics['tools'][number];

export function renderAgentsMetrics({ agents, decisions }: AgentsMetrics): string {
  const rows = decisions.map(
    ({ how, right, wrong, undecided }) => `  ${how}: ${right} right, ${wrong} wrong, ${undecided} undecided`,
  );
  return [
    ...(agents.length === 0 ? [NOBODY] : agents.map(formatMetricsLines)),
    ...(rows.length === 0
      ? []
      : [['Decisions with a recorded outcome, by how they came about:', ...rows].join('\n')]),
  ].join('\n\n');
}

function formatMetricsLines({
  id,
  tasks,
  launches,
  success_rate: rate,
  durations,
  tokens,
  cost,
  errors,
  tools,
  mcp,
  councils,
}: ShownMetrics): string {
  const { done, failed, cancelled, open } = tasks;
  const some = [
    `${formatCount(done, 'task')} done`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(cancelled > 0 ? [`${cancelled} cancelled`] : []),
    ...(open > 0 ? [`${open} open`] : []),
  ];
  const codes = Object.entries(errors).map(([code, count]) => `${toOneLine(code, 10)} ${count}`);
  const used = [
    ...(tokens.input === null && tokens.output === null
      ? []
      : [`tokens: ${tokens.input ?? '-'} in, ${tokens.output ?? '-'} out`]),
    ...(cost.length > 0
      ? [
          `cost: ${cost.map(({ amount, currency }) => `${Number(amount.toFixed(6))} ${toOneLine(currency, 3)}`).join(', ')}`,
        ]
      : []),
  ];
  const hasWorked = done + failed + cancelled + open + launches > 0;
  // For an agent that has only sat in councils, task statistics are left out.
  if (!hasWorked && councils) return [`${toOneLine(id, 64)}:`, ...formatCouncilLines(councils)].join('\n');
  return [
    `${toOneLine(id, 64)}: ${some.join(', ')}`,
    `  ${formatCount(launches, 'launch', 'launches')}${rate === null ? '' : `, ${formatPercent(rate)} went well`}${durations.average === null ? '' : `; ${formatDuration(durations.average)} on average, ${formatDuration(durations.longest ?? 0)} at most`}`,
    ...(used.length > 0 ? [`  ${used.join('; ')}`] : []),
    ...(codes.length > 0 ? [`  errors: ${codes.join(', ')}`] : []),
    ...tools.map((one) => `  tool ${formatUse(one)}`),
    ...mcp.flatMap((one) => [
      `  MCP server ${formatUse(one)}`,
      ...one.tools.map((tool) => `    ${formatUse(tool)}`),
    ]),
    ...(councils ? formatCouncilLines(councils) : []),
  ].join('\n');
}

function formatCouncilLines(record: NonNullable<ShownMetrics['councils']>): string[] {
  const { outcomes, brier, stated, calibration, quotes, challenges, moves, control, costPerCouncil } = record;
  const facts = [
    ...(outcomes.judged > 0
      ? [`right in ${outcomes.right} of ${formatCount(outcomes.judged, 'outcome')}`]
      : []),
    ...(brier === null
      ? []
      : [`Brier score ${brier.toFixed(2)} of ${formatCount(stated, 'stated confidence')}`]),
    ...(quotes.total > 0 ? [`${quotes.verified} of ${formatCount(quotes.total, 'quote')} verified`] : []),
    ...(challenges.total > 0
      ? [`conceded ${challenges.conceded} of ${formatCount(challenges.total, 'challenge')}`]
      : []),
    ...(moves.explained + moves.unexplained > 0
      ? [`${moves.unexplained} of ${formatCount(moves.explained + moves.unexplained, 'move')} unexplained`]
      : []),
    ...(control.heard > 0
      ? [
          `moved alone in ${control.moved} of ${formatCount(control.heard, 'control')}; of its moves in debates ${control.persuaded} by persuasion, ${control.unstable} by instability`,
        ]
      : []),
    ...(costPerCouncil === null ? [] : [`${formatMoney(costPerCouncil, loadWords('en').common)} a council`]),
  ];
  return [
    `  ${[formatCount(record.councils, 'council'), ...facts].join('; ')}`,
    ...(calibration ?? []).map(
      ({ stated: said, right, count }) =>
        `    said ${formatPercent(said)}, was right in ${formatPercent(right)} of ${formatCount(count, 'outcome')}`,
    ),
  ];
}

const formatUse = ({ name, calls, avg_ms: ms, success_rate: rate }: ToolMetrics): string =>
  `${toOneLine(name, 80)}: ${formatCount(calls, 'call')}${rate === null ? '' : `, ${formatPercent(rate)} went well`}${ms === null ? '' : `, ${ms} ms on average`}`;

export const formatPercent = (rate: number): string => `${Math.round(rate * 1000) / 10} %`;

/** Renders workers in order of preference, each with the reason. */
export function renderCandidatesTable(
  rows: Extract<TaskResult, { candidates: unknown }>['candidates'],
  cli: Cli,
): string {
  if (rows.length === 0) return 'There are no workers: add one with council agents add NAME -- COMMAND.';
  const cells = rows.map(({ worker, score, matched, load, lastUsed, out }, at) => [
    worker,
    score.toFixed(2),
    matched.join(', ') || '-',
    load.toFixed(2),
    lastUsed === null ? 'never' : formatLocalTime(lastUsed, Date.now()),
    out ?? (at === 0 ? 'chosen' : 'could do it'),
  ]);
  const all = [['worker', 'score', 'matched', 'load', 'last used', 'why'], ...cells];
  return renderTableLines(
    all.map((row) => row.map((text) => [{ text, styles: [] }])),
    pageOptions(cli),
  )
    .map((line) => line.trimEnd())
    .join('\n');
}
