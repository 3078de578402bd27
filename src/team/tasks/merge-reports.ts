// Merges reports: what each found with its source, their contradictions, and what is missing.
import { sumKnown } from '../../core/base/text.ts';
import { fill } from '../../core/base/words/words.ts';
import type { Language } from '../../core/base/words/words.ts';
import { NO_REPORT } from './report.ts';
import type { Fact, Report, ReportStatus, ToolUse } from './report.ts';
import { containHeadings, parseReportLines, trimBlankLines, foldLine, writeCost } from './report-text.ts';
import type { Cost } from './report-text.ts';
import { loadReportWords } from './words.ts';

/** A report and its source: a path, a task's id. */
export interface ReportSource {
  from: string;
  report: Report;
}

export interface MergedReportFacts {
  agent: string;
  task: string;
  /** Tasks that should have a report and have none. */
  missing?: readonly string[];
  /** Milliseconds from the first start to the last end. */
  duration?: number | null;
  lang?: Language;
}

/** Merges reports. Weighs nothing: contradictions are listed side by side, with their sources. */
export function mergeReports(sources: readonly ReportSource[], together: MergedReportFacts): Report {
  const { agent, task, missing = [], duration = null, lang = 'en' } = together;
  const words = loadReportWords(lang).reportTogether;
  const reports = sources.map(({ report }) => report);
  const conflicts = findReportConflicts(sources);
  const gaps = listReportGaps(sources, missing, lang);
  const { cost, others } = sumCostByCurrency(reports);
  return {
    ...structuredClone(NO_REPORT),
    agent,
    task,
    status: mergeReportStatuses(reports, missing),
    duration,
    results: sources.map((one) => renderSourceResult(one, lang)).join('\n\n'),
    sections: [
      ...toListSection(
        words.conflicts,
        conflicts.map(
          (one) =>
            `${one.label}: ${one.values.map(({ value, from }) => `${value} (${from.join(', ')})`).join('; ')}`,
        ),
      ),
      ...toListSection(words.gaps, gaps),
      ...toListSection(
        words.sources,
        sources.map(({ from, report }) => `${from}: ${formatReportName(report, lang)}`),
      ),
    ],
    tools: collectToolUses(sources, 'tools'),
    mcp: collectToolUses(sources, 'mcp'),
    next: mergeNextActions(sources),
    inputTokens: sumKnown(reports.map((one) => one.inputTokens)),
    outputTokens: sumKnown(reports.map((one) => one.outputTokens)),
    cost,
    metadata: [...others.map((one) => ({ label: loadReportWords(lang).report.cost, value: writeCost(one) }))],
  };
}

const toListSection = (heading: string, items: string[]): Report['sections'] =>
  items.length === 0 ? [] : [{ heading, body: items.map((one) => `- ${foldLine(one)}`).join('\n') }];

function formatReportName({ agent, task, status }: Report, lang: Language): string {
  const { report: words, reportStatus } = loadReportWords(lang);
  const told = status === null ? '' : ` (${reportStatus[status]})`;
  return foldLine(`${agent ?? words.someAgent}${task === null ? '' : `: ${task}`}${told}`);
}

/** Renders a result below a heading with its agent and task; its own sections are below that. */
function renderSourceResult({ report, from }: ReportSource, lang: Language): string {
  const words = loadReportWords(lang).reportTogether;
  const inner = [
    report.results,
    ...report.sections.map(({ heading, body }) => `### ${foldLine(heading)}\n\n${containHeadings(body)}`),
  ];
  // One level below the parts of a single report.
  const { lines } = parseReportLines(containHeadings(trimBlankLines(inner.join('\n\n'))));
  const lowered = lines.map(({ text, heading }) =>
    heading ? `${'#'.repeat(Math.min(6, heading.depth + 1))} ${heading.words}` : text,
  );
  return `### ${formatReportName(report, lang)}\n\n${trimBlankLines(lowered.join('\n')) || words.nothing}\n\n${fill(words.source, { from })}`;
}

function mergeReportStatuses(reports: Report[], missing: readonly string[]): ReportStatus {
  const all = new Set(reports.map(({ status }) => status));
  if (all.has('In Progress')) return 'In Progress';
  if (all.size === 1 && all.has('Success') && missing.length === 0) return 'Success';
  if (all.size === 1 && all.has('Failed')) return 'Failed';
  return reports.length === 0 ? 'Failed' : 'Partial';
}

interface ValueConflict {
  label: string;
  values: { value: string; from: string[] }[];
}

/** Finds contradicting facts in results: `label: value` in a line, or in a table row of two cells. */
export function findReportConflicts(sources: readonly ReportSource[]): ValueConflict[] {
  const told = new Map<string, { label: string; by: Map<string, ValueConflict['values'][number]> }>();
  for (const { from, report } of sources)
    for (const { label, value } of extractFacts(report)) {
      const entry = told.get(normalizeFactText(label)) ?? {
        label,
        by: new Map<string, ValueConflict['values'][number]>(),
      };
      const same = entry.by.get(normalizeFactText(value)) ?? { value, from: [] };
      if (!same.from.includes(from)) same.from.push(from);
      entry.by.set(normalizeFactText(value), same);
      told.set(normalizeFactText(label), entry);
    }
  // If one report states two values for a label, it is about two things.
  return [...told.values()]
    .map(({ label, by }) => ({ label, values: [...by.values()] }))
    .filter(
      ({ values }) =>
        values.length > 1 &&
        new Set(values.flatMap(({ from }) => from)).size === values.flatMap(({ from }) => from).length,
    );
}

/** Ignores case, accents and digit grouping. */
const normalizeFactText = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/(?<=\d)[\s,'](?=\d{3}\b)/g, '')
    .replace(/[*_`]+|[.;]$/g, '')
    .replace(/\s+/g, ' ')
    .trim();

function extractFacts({ results, sections }: Report): Fact[] {
  const { lines } = parseReportLines([results, ...sections.map(({ body }) => body)].join('\n'));
  return lines.flatMap(({ text }) => {
    const found =
      /^\s*(?:[-*+]\s+)?(?:\*\*)?([\p{L}\p{N}][^:|*]{1,60}?)(?:\*\*)?\s*[:=](?:\*\*)?\s+(\S.{0,120})$/u.exec(
        text,
      ) ?? /^\s*\|\s*(?:\*\*)?([\p{L}\p{N}][^|*]{1,60}?)(?:\*\*)?\s*\|\s*([^|]{1,120}?)\s*\|\s*$/u.exec(text);
    return found
      ? [{ label: foldLine(found[1] ?? ''), value: foldLine(found[2] ?? '').replace(/[.;]$/, '') }]
      : [];
  });
}

function listReportGaps(
  sources: readonly ReportSource[],
  missing: readonly string[],
  lang: Language,
): string[] {
  const words = loadReportWords(lang).reportTogether;
  return [
    ...missing.map((task) => fill(words.missing, { task })),
    ...sources.flatMap(({ from, report }) => {
      const { status, results, sections, next } = report;
      const isEmpty = results === '' && sections.length === 0;
      const open = next.filter(({ done }) => !done).length;
      return [
        ...(status === 'Success'
          ? []
          : [
              fill(words.unfinished, {
                from,
                status: status === null ? '?' : loadReportWords(lang).reportStatus[status],
              }),
            ]),
        ...(isEmpty ? [fill(words.empty, { from })] : []),
        ...(status === 'Success' && open > 0 ? [fill(words.open, { from, count: open })] : []),
      ];
    }),
  ];
}

/** Lists the uses of tools, each with its source. */
function collectToolUses(sources: readonly ReportSource[], key: 'tools' | 'mcp'): ToolUse[] {
  return sources.flatMap(({ from, report }) =>
    report[key].map(({ name, detail }) => ({
      name,
      detail: `${detail}${detail === '' ? '' : ' '}(${from})`,
    })),
  );
}

/** Merges equal actions; done if any report says so. */
function mergeNextActions(sources: readonly ReportSource[]): Report['next'] {
  const all = new Map<string, { done: boolean; text: string; from: string[] }>();
  for (const { from, report } of sources)
    for (const { done, text } of report.next) {
      const before = all.get(normalizeFactText(text)) ?? { done: false, text, from: [] };
      if (!before.from.includes(from)) before.from.push(from);
      all.set(normalizeFactText(text), { ...before, done: before.done || done });
    }
  return [...all.values()].map(({ done, text, from }) => ({ done, text: `${text} (${from.join(', ')})` }));
}

/** Sums costs by currency: the first one is the cost, others are listed separately. Nothing is converted. */
function sumCostByCurrency(reports: Report[]): { cost: Cost | null; others: Cost[] } {
  const sums = new Map<string, number>();
  for (const { cost } of reports)
    if (cost) sums.set(cost.currency, (sums.get(cost.currency) ?? 0) + cost.amount);
  const [cost = null, ...others] = [...sums].map(([currency, amount]) => ({
    currency,
    amount: Number(amount.toPrecision(12)),
  }));
  return { cost, others };
}
