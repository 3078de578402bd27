// The Markdown report of an agent: its data, and how it is written. It is parsed in read-report.ts.
import * as z from 'zod/mini';
import { fill } from '../../core/base/words/words.ts';
import type { Language } from '../../core/base/words/words.ts';
import { containHeadings, withoutClosing, foldLine, writeCost, writeDuration } from './report-text.ts';
import { loadReportWords } from './words.ts';

export const REPORT_STATUSES = ['Success', 'Failed', 'Partial', 'In Progress'] as const;
export type ReportStatus = (typeof REPORT_STATUSES)[number];

const nullableText = z._default(z.nullable(z.string()), null);
const nullableNumber = z._default(z.nullable(z.number()), null);
const list = <T>(one: z.ZodMiniType<T>) => z._default(z.array(one), []);
const fact = z.object({ label: z.string(), value: z.string() });
/** A tool, or a tool of an MCP server (`serena::find_symbol`), and its use. Without a name: a line of prose. */
const use = z.object({ name: z.string(), detail: z.string() });
export type Fact = z.infer<typeof fact>;
export type ToolUse = z.infer<typeof use>;

/** A report. Data missing in its text is null, or empty. */
const report = z.object({
  agent: nullableText,
  /** In one line. */
  task: nullableText,
  status: z._default(z.nullable(z.enum(REPORT_STATUSES)), null),
  /** Milliseconds. */
  duration: nullableNumber,
  /** Other facts in its head. */
  facts: list(fact),
  /** Markdown. */
  results: z._default(z.string(), ''),
  /** Other parts, as their author wrote them. */
  sections: list(z.object({ heading: z.string(), body: z.string() })),
  tools: list(use),
  mcp: list(use),
  next: list(z.object({ done: z.boolean(), text: z.string() })),
  provider: nullableText,
  model: nullableText,
  inputTokens: nullableNumber,
  outputTokens: nullableNumber,
  cost: z._default(z.nullable(z.object({ amount: z.number(), currency: z.string() })), null),
  /** Other metadata. */
  metadata: list(fact),
});
export type Report = z.infer<typeof report>;

export const NO_REPORT: Report = report.parse({});

const STATUS_SIGNS: Record<ReportStatus, string> = {
  Success: '✅',
  Failed: '❌',
  Partial: '⚠️',
  'In Progress': '🔄',
};

/**
 * Writes a report as Markdown. Lowers headings in its parts below those of the report, and closes what a part
 * leaves
 * open, so that parts stay separate. The text is parsed back to the same report, and written again the same.
 */
export function writeReport(report: Report, lang: Language = 'en'): string {
  const { report: words, reportStatus: statuses } = loadReportWords(lang);
  const { agent, task, status, duration } = report;
  const head = [
    `# ${fill(words.title, { agent: foldLine(agent ?? '') || words.someAgent })}`,
    ...renderFactLine(words.task, task),
    ...(status === null ? [] : [`**${words.status}**: ${STATUS_SIGNS[status]} ${statuses[status]}`]),
    ...(duration === null ? [] : [`**${words.duration}**: ${writeDuration(duration)}`]),
    ...report.facts.flatMap(({ label, value }) => renderFactLine(label, value)),
  ];
  const section = (heading: string, body: string): string[] => [
    '',
    `## ${heading}`,
    ...(body === '' ? [] : ['', body]),
  ];
  const list = (heading: string, items: string[]): string[] =>
    items.length === 0 ? [] : section(heading, items.map((one) => `- ${one}`).join('\n'));
  const lines = [
    ...head,
    ...section(words.results, containHeadings(report.results)),
    ...report.sections.flatMap(({ heading, body }) =>
      section(withoutClosing(foldLine(heading)) || '…', containHeadings(body)),
    ),
    ...list(words.tools, report.tools.flatMap(formatToolLines)),
    ...list(words.mcp, report.mcp.flatMap(formatToolLines)),
    ...list(
      words.next,
      report.next.map(({ done, text }) => `[${done ? 'x' : ' '}] ${foldLine(text)}`),
    ),
    ...list(words.metadata, formatMetadataLines(report, lang)),
  ];
  return `${lines.join('\n')}\n`;
}

const renderFactLine = (label: string, value: string | null): string[] =>
  value === null || foldLine(value) === '' ? [] : [`**${foldLine(label)}**: ${foldLine(value)}`];

function formatToolLines({ name, detail }: ToolUse): string[] {
  const [called, used] = [foldLine(name).replaceAll('`', "'"), foldLine(detail)];
  if (called === '') return used === '' ? [] : [used];
  return [used === '' ? `\`${called}\`` : `\`${called}\`: ${used}`];
}

function formatMetadataLines(report: Report, lang: Language): string[] {
  const words = loadReportWords(lang).report;
  const { inputTokens: input, outputTokens: output, cost } = report;
  const facts: [string, string | null][] = [
    [words.provider, report.provider],
    [words.model, report.model],
    [
      words.tokens,
      input === null && output === null
        ? null
        : fill(words.tokensOf, { input: input ?? '-', output: output ?? '-' }),
    ],
    [words.cost, cost && writeCost(cost)],
    ...report.metadata.map(({ label, value }): [string, string] => [label, value]),
  ];
  return facts.flatMap(([label, value]) => {
    if (value === null || foldLine(value) === '') return [];
    return [foldLine(label) === '' ? foldLine(value) : `${foldLine(label)}: ${foldLine(value)}`];
  });
}
