// Reads the Markdown reports of agents: council's own word for word, and those that models write in their own manner.
import { loadWords } from '../../core/base/words/words.ts';
import { NO_REPORT } from './report.ts';
import type { Fact, Report, ToolUse } from './report.ts';
import { parseReportLines, trimBlankLines } from './report-lines.ts';
import type { ReportLine } from './report-lines.ts';
import { foldLine, readCost, readDuration, readTokens } from './report-values.ts';
import { findReportLabel, findReportPart, parseReportStatus, titleAgent } from './report-words.ts';
import type { LabelName, PartName } from './report-words.ts';

/** A stretch of a report below a heading; without `part` it is none of the known ones. */
interface ReportChunk {
  heading: string;
  part: PartName | 'head' | undefined;
  depth: number;
  body: string[];
}

/**
 * Reads any text as a report and loses nothing: a text in which no part of one can be seen is a result as a whole. Headings of
 * any level, bold labels, tables and French are understood.
 */
export function parseReport(text: string): Report {
  const { lines } = parseReportLines(trimBlankLines(text));
  const isOwn =
    lines.some(({ heading }) => heading?.depth === 2 && findReportPart(heading.words) === 'results') &&
    titleAgent(lines[0]?.heading?.words ?? '') !== undefined;
  const found = splitReportChunks(lines, isOwn);
  const report = structuredClone(NO_REPORT);
  const agent = lines
    .map(({ heading }) => heading && titleAgent(heading.words))
    .find((one) => one !== undefined);
  if (agent !== undefined && !isNobody(agent)) report.agent = foldLine(agent.replaceAll(/[`*]/g, ''));
  const head = readHead(report, found.find(({ part }) => part === 'head')?.body ?? []);
  const isReport =
    agent !== undefined ||
    report.status !== null ||
    found.some(({ part }) => part !== undefined && part !== 'head');
  if (!isReport) return { ...structuredClone(NO_REPORT), results: trimBlankLines(text) };
  const results = [head];
  for (const one of found) {
    const body = trimBlankLines(one.body.join('\n'));
    if (one.part === undefined) report.sections.push({ heading: one.heading, body });
    else if (one.part === 'results') results.push(body);
    else if (one.part !== 'head') readPart(report, one.part, body);
  }
  return { ...report, results: results.filter((one) => one !== '').join('\n\n') };
}

const isNobody = (agent: string): boolean =>
  agent === '' || [loadWords('en'), loadWords('fr')].some(({ report }) => report.someAgent === agent);

/** Cuts at the headings of parts. In council's own reports they are of depth 2, and everything deeper belongs to its part. */
function splitReportChunks(lines: ReportLine[], isOwn: boolean): ReportChunk[] {
  const found: ReportChunk[] = [{ heading: '', part: 'head', depth: 6, body: [] }];
  for (const [at, line] of lines.entries()) {
    const current = found.at(-1)!;
    const heading =
      line.heading ?? (isOwn ? undefined : headingWithout(line.text, lines[at + 1]?.text ?? ''));
    const isTitle =
      heading !== undefined && titleAgent(heading.words) !== undefined && current.part === 'head';
    if (
      isTitle ||
      (!isOwn && isUnderline(line.text) && headingWithout(lines[at - 1]?.text ?? '', line.text)?.depth === 2)
    )
      continue;
    const part = heading && findReportPart(heading.words);
    const isNew =
      heading && (isOwn ? heading.depth <= 2 : part !== undefined || heading.depth <= current.depth);
    if (isNew && (part !== undefined || heading.words !== ''))
      found.push({ heading: heading.words, part, depth: heading.depth, body: [] });
    else current.body.push(line.text);
  }
  return found;
}

const isUnderline = (line: string): boolean => /^ {0,3}(?:=+|-{3,})\s*$/.test(line);

/** A known part's name that stands like a heading: bold, before a colon at the end of a line, or underlined. */
function headingWithout(line: string, below: string): ReportLine['heading'] {
  // Trimmed first: there may be many spaces around it.
  const text = line.trim();
  const words =
    /^(?:\*\*|__)(.{1,200}?)(?:\*\*|__)\s*[:：]?$/.exec(text)?.[1]?.trim() ??
    /^([^|`]{2,40}?)\s*[:：]$/.exec(text)?.[1];
  if (words !== undefined && findReportPart(words)) return { depth: 5, words };
  const isKnown = (): boolean => findReportPart(line) !== undefined || titleAgent(line) !== undefined;
  return isUnderline(below) && isKnown() ? { depth: 2, words: line.trim() } : undefined;
}

const OF_HEAD: readonly LabelName[] = ['agent', 'task', 'status', 'duration'];

/** Takes the facts out of what stands before the first part; returns the rest. */
function readHead(report: Report, lines: string[]): string {
  const rest: string[] = [];
  for (const [at, line] of lines.entries()) {
    const fact = parseFactLine(line);
    const name = fact && findReportLabel(fact.label);
    if (fact && name) takeFact(report, fact, OF_HEAD.includes(name) ? report.facts : report.metadata);
    else if (fact && /^\*\*/.test(line)) report.facts.push(fact);
    else if (!isTableFrame(line) && !isTableHead(lines, at)) rest.push(line);
  }
  return trimBlankLines(rest.join('\n'));
}

/** `**Label**: value`, `- Label: value`, `| Label | value |`. */
function parseFactLine(line: string): Fact | undefined {
  const cells = parseTableCells(line);
  const text = line.trim().replace(/^[-*+•]\s+/, '');
  if (cells?.length === 2) return { label: stripBoldMarks(cells[0] ?? ''), value: cells[1] ?? '' };
  const found =
    /^(?:\*\*|__)([^*_:：]{1,60}?)\s*(?:[:：]\s*(?:\*\*|__)|(?:\*\*|__)\s*[:：])\s*(.*)$/.exec(text) ??
    /^([^:：|`*]{1,60}?)\s*[:：]\s+(.*)$/.exec(text);
  return found ? { label: stripBoldMarks(found[1] ?? ''), value: foldLine(found[2] ?? '') } : undefined;
}

const stripBoldMarks = (text: string): string => foldLine(text.replace(/\*\*|__/g, ''));

/** Puts a fact where it belongs; one that is said already or cannot be read goes to `others` as it is. */
function takeFact(report: Report, fact: Fact, others: Fact[]): void {
  if (!isTaken(report, fact)) others.push(fact);
}

function isTaken(report: Report, { label, value }: Fact): boolean {
  const name = findReportLabel(label);
  if (name === 'agent' || name === 'task' || name === 'provider' || name === 'model')
    return report[name] === null && value !== '' && ((report[name] = value), true);
  if (name === 'status') {
    const status = parseReportStatus(value);
    return report.status === null && status !== undefined && ((report.status = status), true);
  }
  if (name === 'duration') {
    const ms = readDuration(value);
    return report.duration === null && ms !== undefined && ((report.duration = ms), true);
  }
  if (name === 'cost') {
    const cost = readCost(value);
    return report.cost === null && cost !== undefined && ((report.cost = cost), true);
  }
  const tokens = name === 'tokens' ? readTokens(value) : undefined;
  if (!tokens || report.inputTokens !== null || report.outputTokens !== null) return false;
  [report.inputTokens, report.outputTokens] = [tokens.input, tokens.output];
  return true;
}

function readPart(report: Report, part: Exclude<PartName, 'results'>, body: string): void {
  const items = parseReportItems(body);
  switch (part) {
    case 'tools':
      report.tools.push(...items.map(({ text }) => parseToolUse(text)));
      break;
    case 'mcp':
      report.mcp.push(...nestedTools(items));
      break;
    case 'next':
      report.next.push(...items.map(({ text }) => parseNextAction(text)));
      break;
    case 'metadata':
      for (const { text, cells } of items) {
        const fact =
          cells?.length === 2 ? { label: stripBoldMarks(cells[0]!), value: cells[1]! } : parseFactLine(text);
        takeFact(report, fact ?? { label: '', value: text }, report.metadata);
      }
  }
}

interface ReportItem {
  text: string;
  /** How far in it stands. */
  indent: number;
  cells?: string[];
}

const NOTHING = /^(?:none|nothing|n\/a|aucune?|rien|[-–—])\.?$/i;

/** The items of a part: of lists, of tables, and lines of their own. */
function parseReportItems(body: string): ReportItem[] {
  const lines = body.split('\n');
  const items: ReportItem[] = [];
  let heads: string[] = [];
  for (const [at, line] of lines.entries()) {
    const cells = parseTableCells(line);
    const [, space = '', mark = '', words = ''] = /^(\s*)(?:([-*+•]|\d{1,3}[.)])\s+)?(.*)$/.exec(line) ?? [];
    const last = items.at(-1);
    if (isTableHead(lines, at)) heads = cells ?? [];
    else if (cells === undefined) heads = isTableFrame(line) ? heads : [];
    if (isTableFrame(line) || isTableHead(lines, at) || /^\s*(?:```|~~~)/.test(line)) continue;
    if (cells) items.push({ text: cellText(cells, heads), indent: 0, cells });
    else if (mark === '' && space !== '' && last && words !== '')
      last.text = `${last.text} ${foldLine(words)}`;
    else if (
      words.trim() !== '' &&
      !(mark === '' && NOTHING.test(words.trim())) &&
      !NOTHING.test(foldLine(words))
    )
      items.push({ text: foldLine(words), indent: space.length });
  }
  return items;
}

/** Of an MCP server, what stands below it are its tools. */
function nestedTools(items: ReportItem[]): ToolUse[] {
  let server: ToolUse | undefined;
  return items.map(({ text, indent }) => {
    const tool = parseToolUse(text);
    if (indent === 0) server = tool;
    return indent > 0 && server && server.name !== '' && tool.name !== '' && !tool.name.includes('::')
      ? { ...tool, name: `${server.name}::${tool.name}` }
      : tool;
  });
}

/** `` `name`: detail ``, `**name** - detail`, `name: detail`; a line without a name is all detail. */
function parseToolUse(text: string): ToolUse {
  const found =
    /^`([^`]+)`\s*(?:[:：(—–-]\s*)?(.*)$/.exec(text) ??
    /^(?:\*\*|__)([^*_]+?)[:：]?(?:\*\*|__)\s*(?:[:：—–-]\s*)?(.*)$/.exec(text) ??
    /^([\w./-]+(?:::?[\w./-]+)*)\s*(?:[:：]\s+|\s[—–-]\s+)(.*)$/.exec(text) ??
    /^([\w./-]+(?:::[\w./-]+)*)()$/.exec(text);
  if (!found) return { name: '', detail: text };
  const opened = /^`[^`]+`\s*\(/.test(text) ? '(' : '';
  return { name: foldLine(found[1] ?? ''), detail: foldLine(`${opened}${found[2] ?? ''}`) };
}

function parseNextAction(text: string): Report['next'][number] {
  const found = /^\[([ xX✓✔])?\]\s*(.*)$/.exec(text);
  return found ? { done: /[xX✓✔]/.test(found[1] ?? ''), text: found[2] ?? '' } : { done: false, text };
}

const parseTableCells = (line: string): string[] | undefined =>
  /^\s*\|.*\|\s*$/.test(line)
    ? line
        .trim()
        .slice(1, -1)
        .split(/(?<!\\)\|/)
        .map((cell) => foldLine(cell.replaceAll('\\|', '|')))
    : undefined;

const isTableFrame = (line: string): boolean =>
  /^(?:\|\s*)?:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)+\|?$/.test(line.trim());

/** The line above the frame of a table. */
const isTableHead = (lines: string[], at: number): boolean =>
  parseTableCells(lines[at] ?? '') !== undefined && isTableFrame(lines[at + 1] ?? '');

/** The first cell is the name, the others stand behind their headings. */
const cellText = ([name = '', ...rest]: string[], [, ...heads]: string[]): string =>
  rest.length === 0
    ? name
    : `\`${stripBoldMarks(name).replaceAll('`', '')}\`: ${rest.map((cell, at) => (heads[at] ? `${heads[at]} ${cell}` : cell)).join(', ')}`;
