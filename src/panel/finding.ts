// Offline panel: findings, how they are written, parsed and sorted.
import { oneLine } from '../base/text.ts';

/** `major` misleads or stops a reader, `minor` costs a reader something, `note` is advice. */
export const SEVERITIES = ['major', 'minor', 'note'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** One remark on one line of the brief, in the form that all reviewers print and read. */
export interface Finding {
  /** 1 for the brief's first line. */
  line: number;
  severity: Severity;
  /** Lower-case letters, digits and hyphens. */
  rule: string;
  /** The words concerned; empty when the finding is about the line as a whole. */
  subject: string;
  /** What could stand in their place; `''` among them means: drop the words. */
  instead: readonly string[];
  advice: string;
  /** Taken from the line character by character; empty when the line has no text. */
  quote: string;
}

const HEAD = /^\*\*Line (\d{1,7})\*\* · (major|minor|note) · `([a-z][a-z0-9-]{0,60})` · (.+)$/;
const SUBJECT = /^"([^"]+)"(?: → ((?:drop it|"[^"]+")(?: or (?:drop it|"[^"]+"))*))? · (.+)$/;
const DROP = 'drop it';
/** Longer lines are not findings of ours; reading them would only cost time. */
const LONGEST_HEAD = 2000;

/** Makes the parts fit the form: one line each, and double quotes only where the form puts them. */
export function finding(parts: Finding): Finding {
  const plain = (text: string, max: number): string => oneLine(text.replaceAll('"', "'"), max);
  const subject = plain(parts.subject, 80);
  return {
    line: parts.line,
    severity: parts.severity,
    rule: parts.rule,
    subject,
    instead: subject === '' ? [] : [...new Set(parts.instead.map((words) => plain(words, 80)))],
    advice: plain(parts.advice, 600),
    quote: parts.quote,
  };
}

/** The head line of a finding: the words by which others refer to it. */
export function headOf(one: Finding): string {
  const instead = one.instead.map((words) => (words === '' ? DROP : `"${words}"`)).join(' or ');
  const subject = one.subject === '' ? '' : `"${one.subject}"${instead === '' ? '' : ` → ${instead}`} · `;
  return `**Line ${one.line}** · ${one.severity} · \`${one.rule}\` · ${subject}${one.advice}`;
}

/** A finding as Markdown: its head line and the quoted words. */
export function formatFinding(one: Finding): string {
  return one.quote === '' ? headOf(one) : `${headOf(one)}\n\n> ${one.quote}`;
}

/** Reads one head line; undefined for any other line. The quote stays empty. */
export function parseHead(line: string): Finding | undefined {
  if (line.length > LONGEST_HEAD) return undefined;
  const [, number, severity, rule, rest] = HEAD.exec(line.trimEnd()) ?? [];
  if (number === undefined || severity === undefined || rule === undefined || rest === undefined)
    return undefined;
  const [, subject = '', instead, advice = rest] = SUBJECT.exec(rest) ?? [];
  const replacements = instead?.match(/drop it|"[^"]+"/g) ?? [];
  return {
    line: Number(number),
    severity: severity as Severity,
    rule,
    subject,
    instead: replacements.map((words) => (words === DROP ? '' : words.slice(1, -1))),
    advice,
    quote: '',
  };
}

/** All findings in a contribution. Lines that are not findings are passed over. */
export function parseFindings(text: string): Finding[] {
  const lines = text.split(/\r?\n/);
  const found: Finding[] = [];
  for (const [index, line] of lines.entries()) {
    const head = parseHead(line);
    if (!head) continue;
    const next = lines[index + 1] === '' ? lines[index + 2] : lines[index + 1];
    found.push(next?.startsWith('> ') ? { ...head, quote: next.slice(2) } : head);
  }
  return found;
}

/** True when both are the same remark; advice and quote may have been reworded. */
export function sameFinding(a: Finding, b: Finding): boolean {
  return a.line === b.line && a.rule === b.rule && a.subject.toLowerCase() === b.subject.toLowerCase();
}

/** By severity, then by line. */
export function bySeverity(a: Finding, b: Finding): number {
  return SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) || a.line - b.line;
}
