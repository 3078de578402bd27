// Makes the report of a finished task out of whatever its worker has said, and out of what is known of it.
import { formatCount } from '../../core/base/text.ts';
import { fill, loadWords } from '../../core/base/words/words.ts';
import type { Language } from '../../core/base/words/words.ts';
import { parseReport } from './read-report.ts';
import type { Report, ReportStatus, ToolUse } from './report.ts';
import type { TaskCall } from './task.ts';

/** What is known whatever the worker says; undefined for unknown. Times are milliseconds. */
export interface TaskFacts {
  agent: string;
  task: string;
  /** How the task ended. */
  status: ReportStatus;
  duration?: number | undefined;
  provider?: string | null | undefined;
  model?: string | null | undefined;
  inputTokens?: number | null | undefined;
  outputTokens?: number | null | undefined;
  /** In US$, as the runners count. */
  costUsd?: number | null | undefined;
  /** What a model called, as it was measured; such tools and servers count instead of those that it names. */
  calls?: readonly TaskCall[] | undefined;
  /** More of it: the task's id, when it ended. */
  metadata?: Report['metadata'];
}

/**
 * A worker's text, free or a report, as the report of its task. What was measured counts more than what the worker claims; of a task
 * that was done the worker may say that it was done in part, a failed one has failed.
 */
export function makeReport(text: string, known: TaskFacts, lang: Language = 'en'): Report {
  const said = parseReport(text);
  const isFiner = known.status === 'Success' && (said.status === 'Partial' || said.status === 'Failed');
  const { metadata = [], costUsd } = known;
  return {
    ...said,
    agent: known.agent,
    task: known.task,
    status: isFiner ? said.status : known.status,
    duration: known.duration ?? said.duration,
    provider: known.provider ?? said.provider,
    model: known.model ?? said.model,
    inputTokens: known.inputTokens ?? said.inputTokens,
    outputTokens: known.outputTokens ?? said.outputTokens,
    cost: costUsd === null || costUsd === undefined ? said.cost : { amount: costUsd, currency: 'USD' },
    metadata: [...metadata, ...said.metadata],
    ...groupMeasuredUses(known.calls ?? [], lang),
  };
}

/** `server__tool` is `server::tool` in a report. */
export const reportedName = (tool: string): string => tool.replace('__', '::');

function groupMeasuredUses(
  calls: readonly TaskCall[],
  lang: Language,
): Partial<Pick<Report, 'tools' | 'mcp'>> {
  const uses = (isMcp: boolean): ToolUse[] => {
    const some = calls.filter(({ kind }) => (kind === 'mcp') === isMcp);
    return [...new Set(some.map(({ tool }) => tool))].map((tool) => ({
      name: isMcp ? reportedName(tool) : tool,
      detail: formatCallDetail(
        some.filter((one) => one.tool === tool),
        lang,
      ),
    }));
  };
  const [tools, mcp] = [uses(false), uses(true)];
  return { ...(tools.length > 0 && { tools }), ...(mcp.length > 0 && { mcp }) };
}

function formatCallDetail(calls: readonly TaskCall[], lang: Language): string {
  const words = loadWords(lang).report;
  const average = Math.round(calls.reduce((sum, { durationMs }) => sum + durationMs, 0) / calls.length);
  const failed = calls.filter(({ ok }) => !ok).length;
  const facts = [
    fill(words.average, { ms: average }),
    ...(failed > 0 ? [fill(words.failedCalls, { count: failed })] : []),
  ];
  return `${formatCount(calls.length, words.call)} (${facts.join(', ')})`;
}
