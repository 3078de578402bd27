// Makes the report of a finished task, and parses reports in any of their languages; other texts count as
// results.
import { fill, LANGUAGES } from '../../core/base/words/words.ts';
import type { Language } from '../../core/base/words/words.ts';
import { NO_REPORT, REPORT_STATUSES } from './report.ts';
import type { Fact, Report, ToolUse, ReportStatus } from './report.ts';
import {
  parseReportLines,
  trimBlankLines,
  foldLine,
  readCost,
  readDuration,
  readTokens,
} from './report-text.ts';
import type { ReportLine } from './report-text.ts';
import { formatCount } from '../../core/base/text.ts';
import type { TaskCall } from './task.ts';
import { loadReportWords } from './words.ts';

/** Parses any text as a report, without losing any of it. */
export function parseReport(text: string): Report {
  const { lines } = parseReportLines(trimBlankLines(text));
  for (const lang of LANGUAGES) {
    const report = readInLanguage(lines, lang);
    if (report) return report;
  }
  return { ...structuredClone(NO_REPORT), results: trimBlankLines(text) };
}

/** Returns undefined for a text that does not begin with the title of a report in this language. */
function readInLanguage([first, ...lines]: ReportLine[], lang: Language): Report | undefined {
  const { report: words } = loadReportWords(lang);
  const title = fill(words.title, { agent: '' }).trim();
  if (first?.heading?.depth !== 1 || !first.heading.words.startsWith(title)) return undefined;
  const report = structuredClone(NO_REPORT);
  const agent = foldLine(first.heading.words.slice(title.length));
  if (agent !== '' && agent !== words.someAgent) report.agent = agent;
  const [head, ...parts] = splitAtHeadings(lines);
  const results = [readHead(report, head!.lines, lang)];
  for (const { heading, lines: within } of parts) {
    const body = trimBlankLines(within.join('\n'));
    const items = parseReportItems(within);
    if (heading === words.results) results.push(body);
    else if (heading === words.tools) report.tools.push(...items.map(parseToolUse));
    else if (heading === words.mcp) report.mcp.push(...items.map(parseToolUse));
    else if (heading === words.next) report.next.push(...items.map(parseNextAction));
    else if (heading === words.metadata)
      for (const item of items) {
        const [, label = '', value = item] = /^([^:]{1,60}): (.*)$/.exec(item) ?? [];
        if (!isTaken(report, { label, value }, lang)) report.metadata.push({ label, value });
      }
    else report.sections.push({ heading, body });
  }
  return { ...report, results: results.filter((one) => one !== '').join('\n\n') };
}

/** Splits a report at its headings of depth 1 and 2; the part before the first has an empty heading. */
function splitAtHeadings(lines: ReportLine[]): { heading: string; lines: string[] }[] {
  const found: { heading: string; lines: string[] }[] = [{ heading: '', lines: [] }];
  for (const { text, heading } of lines)
    if (heading && heading.depth <= 2 && heading.words !== '')
      found.push({ heading: heading.words, lines: [] });
    else found.at(-1)!.lines.push(text);
  return found;
}

function readHead(report: Report, lines: string[], lang: Language): string {
  const rest = lines.filter((line) => {
    const [, label, value = ''] = /^\*\*([^*:]{1,60})\*\*: (.*)$/.exec(line.trimEnd()) ?? [];
    if (label === undefined) return true;
    const fact = { label: foldLine(label), value: foldLine(value) };
    if (!isTaken(report, fact, lang)) report.facts.push(fact);
    return false;
  });
  return trimBlankLines(rest.join('\n'));
}

/** Stores a fact in its own field; false if there is none, if it is set already, or if the value is invalid. */
function isTaken(report: Report, { label, value }: Fact, lang: Language): boolean {
  const { report: words, reportStatus } = loadReportWords(lang);
  const take = <Key extends 'task' | 'provider' | 'model' | 'status' | 'duration' | 'cost'>(
    key: Key,
    read: Report[Key] | undefined,
  ): boolean => report[key] === null && read !== undefined && ((report[key] = read), true);
  switch (label) {
    case words.task:
      return take('task', value);
    case words.provider:
      return take('provider', value);
    case words.model:
      return take('model', value);
    case words.status:
      return take(
        'status',
        REPORT_STATUSES.find((status) => reportStatus[status] === value.replace(/^\P{L}+/u, '')),
      );
    case words.duration:
      return take('duration', readDuration(value));
    case words.cost:
      return take('cost', readCost(value));
  }
  const tokens = label === words.tokens ? readTokens(value, words.tokensOf) : undefined;
  if (!tokens || report.inputTokens !== null || report.outputTokens !== null) return false;
  [report.inputTokens, report.outputTokens] = [tokens.input, tokens.output];
  return true;
}

const parseReportItems = (lines: string[]): string[] =>
  lines.map((line) => foldLine(line).replace(/^[-*] /, '')).filter((item) => item !== '' && item !== '-');

/** Parses `` `name`: detail ``; a line in another form is all detail. */
function parseToolUse(item: string): ToolUse {
  const [, name = '', detail = item] = /^`([^`]+)`(?:: (.*))?$/.exec(item) ?? [];
  return { name, detail: name !== '' && detail === item ? '' : detail };
}

function parseNextAction(item: string): Report['next'][number] {
  const [, mark = ' ', text = item] = /^\[([ x])\] (.*)$/.exec(item) ?? [];
  return { done: mark === 'x', text };
}

/** Facts known without the worker; what is missing is taken from its own report. */
interface TaskFacts extends Partial<
  Pick<Report, 'duration' | 'provider' | 'model' | 'inputTokens' | 'outputTokens' | 'metadata'>
> {
  agent: string;
  task: string;
  /** How the task ended. */
  status: ReportStatus;
  /** In US$, as counted by the runners. */
  costUsd?: number | null;
  /** Measured calls of a model; they replace the tools and servers listed by the worker. */
  calls?: readonly TaskCall[];
}

/**
 * Makes the report of a task from the worker's text, free or a report. Measured facts override the worker's
 * claims. The worker may lower the status of a successful task, but not raise that of a failed one.
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

/** Writes `server__tool` as `server::tool`, as in reports. */
export const formatToolName = (tool: string): string => tool.replace('__', '::');

function groupMeasuredUses(
  calls: readonly TaskCall[],
  lang: Language,
): Partial<Pick<Report, 'tools' | 'mcp'>> {
  const listToolUses = (isMcp: boolean): ToolUse[] => {
    const some = calls.filter(({ kind }) => (kind === 'mcp') === isMcp);
    return [...new Set(some.map(({ tool }) => tool))].map((tool) => ({
      name: isMcp ? formatToolName(tool) : tool,
      detail: formatCallDetail(
        some.filter((one) => one.tool === tool),
        lang,
      ),
    }));
  };
  const [tools, mcp] = [listToolUses(false), listToolUses(true)];
  return { ...(tools.length > 0 && { tools }), ...(mcp.length > 0 && { mcp }) };
}

function formatCallDetail(calls: readonly TaskCall[], lang: Language): string {
  const words = loadReportWords(lang).report;
  const average = Math.round(calls.reduce((sum, { durationMs }) => sum + durationMs, 0) / calls.length);
  const failed = calls.filter(({ ok }) => !ok).length;
  const facts = [
    fill(words.average, { ms: average }),
    ...(failed > 0 ? [fill(words.failedCalls, { count: failed })] : []),
  ];
  return `${formatCount(calls.length, words.call)} (${facts.join(', ')})`;
}
