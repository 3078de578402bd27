// Puts how agents do on their tasks into lines for people.
import type { AgentsResult } from '../agents/agents.ts';
import { formatDuration } from '../../core/base/duration.ts';
import { formatCount, oneLine } from '../../core/base/text.ts';
import { localTime } from '../../core/base/local-time.ts';

const NOBODY = 'No agent that does tasks yet. Add one: council agents add NAME -- COMMAND';

type Metrics = (AgentsResult & { action: 'metrics' })['document']['agents'][number];
type Use = Metrics['tools'][number];

export const measured = (agents: Metrics[]): string => agents.map(metricsLines).join('\n\n') || NOBODY;

function metricsLines({
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
}: Metrics): string {
  const { done, failed, cancelled, open } = tasks;
  const some = [
    `${formatCount(done, 'task')} done`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(cancelled > 0 ? [`${cancelled} cancelled`] : []),
    ...(open > 0 ? [`${open} open`] : []),
  ];
  const codes = Object.entries(errors).map(([code, count]) => `${oneLine(code, 10)} ${count}`);
  const used = [
    ...(tokens.input === null && tokens.output === null
      ? []
      : [`tokens: ${tokens.input ?? '-'} in, ${tokens.output ?? '-'} out`]),
    ...(cost.length > 0
      ? [
          `cost: ${cost.map(({ amount, currency }) => `${Number(amount.toFixed(6))} ${oneLine(currency, 3)}`).join(', ')}`,
        ]
      : []),
  ];
  return [
    `${oneLine(id, 64)}: ${some.join(', ')}`,
    `  ${formatCount(launches, 'launch', 'launches')}${rate === null ? '' : `, ${percent(rate)} went well`}${durations.average === null ? '' : `; ${formatDuration(durations.average)} on average, ${formatDuration(durations.longest ?? 0)} at most`}`,
    ...(used.length > 0 ? [`  ${used.join('; ')}`] : []),
    ...(codes.length > 0 ? [`  errors: ${codes.join(', ')}`] : []),
    ...tools.map((one) => `  tool ${useLine(one)}`),
    ...mcp.flatMap((one) => [
      `  MCP server ${useLine(one)}`,
      ...one.tools.map((tool) => `    ${useLine(tool)}`),
    ]),
  ].join('\n');
}

const useLine = ({ name, calls, avg_ms: ms, success_rate: rate }: Use): string =>
  `${oneLine(name, 80)}: ${formatCount(calls, 'call')}${rate === null ? '' : `, ${percent(rate)} went well`}${ms === null ? '' : `, ${ms} ms on average`}`;

const percent = (rate: number): string => `${Math.round(rate * 1000) / 10} %`;

type Condition = (AgentsResult & { action: 'health' })['document']['agents'][number];

export const conditions = (agents: Condition[]): string =>
  agents
    .map(({ id, status, reasons, last_success: last, error_rate: rate }) => {
      const facts = [
        ...(rate === null ? [] : [`${percent(rate)} errors`]),
        last === null ? 'no success yet' : `last success ${localTime(last, Date.now())}`,
      ];
      return [
        `${oneLine(id, 64)}: ${status} (${facts.join(', ')})`,
        ...reasons.map((one) => `  ${oneLine(one, 300)}`),
      ].join('\n');
    })
    .join('\n') || NOBODY;
