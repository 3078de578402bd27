// Offline panel: findings, challenges to them and answers: how they are written, parsed and sorted.

import { oneLine } from '../core/base/text.ts';
import { says } from './says.ts';
import type { Language } from './says.ts';

/** `first` carries its own proof on the page, `worth` is for a reader to judge. */
export const SEVERITIES = ['first', 'worth'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** One remark on the brief, in the form that all reviewers print and read. */
export interface Finding {
  /** 1 for the brief's first line. */
  line: number;
  /** Other lines that belong to it. */
  also: readonly number[];
  severity: Severity;
  /** Lower-case letters, digits and hyphens. */
  rule: string;
  /** The words concerned; empty when the finding is about the line as a whole. */
  subject: string;
  advice: string;
  /** Taken from the line character by character; empty when the line has no text. */
  quote: string;
  language: Language;
}

const EN = says('en');
const FR = says('fr');
const HEAD = new RegExp(
  `^\\*\\*(${EN.lines}|${EN.line}|${FR.lines}|${FR.line}) (\\d{1,7}(?:, \\d{1,7}){0,20})\\*\\* · (${EN.first}|${EN.worth}|${FR.first}|${FR.worth}) · \`([a-z][a-z0-9-]{0,60})\` · (.+)$`,
);
const SUBJECT = /^"([^"]+)" · (.+)$/;
/** Longer lines are not findings of ours; reading them would only cost time. */
const LONGEST_HEAD = 2000;

/** Makes the parts fit the form: one line each, and double quotes only where the form puts them. */
export function createFinding(parts: Finding): Finding {
  const plain = (text: string, max: number): string => oneLine(text.replaceAll('"', "'"), max);
  return {
    ...parts,
    also: [...new Set(parts.also)].filter((line) => line !== parts.line).slice(0, 20),
    subject: plain(parts.subject, 80),
    advice: plain(parts.advice, 600),
  };
}

/** "Line 12", "Lines 12, 30". */
export const describeLines = ({
  line,
  also,
  language,
}: Pick<Finding, 'line' | 'also' | 'language'>): string =>
  `${also.length === 0 ? says(language).line : says(language).lines} ${[line, ...also].join(', ')}`;

/** The head line of a finding: the words by which others refer to it. */
export function renderFindingHead(one: Finding): string {
  const words = says(one.language);
  const subject = one.subject === '' ? '' : `"${one.subject}" · `;
  return `**${describeLines(one)}** · ${words[one.severity]} · \`${one.rule}\` · ${subject}${one.advice}`;
}

/** A finding as Markdown: its head line and the quoted words. */
export function formatFinding(one: Finding): string {
  return one.quote === '' ? renderFindingHead(one) : `${renderFindingHead(one)}\n\n> ${one.quote}`;
}

/** Reads one head line; undefined for any other line. The quote stays empty. */
export function parseHead(line: string): Finding | undefined {
  if (line.length > LONGEST_HEAD) return undefined;
  const [, place, numbers, severity, rule, rest] = HEAD.exec(line.trimEnd()) ?? [];
  if (numbers === undefined || rule === undefined || rest === undefined) return undefined;
  const [, subject = '', advice = rest] = SUBJECT.exec(rest) ?? [];
  const [first = 1, ...also] = numbers.split(', ').map(Number);
  return {
    line: first,
    also,
    severity: severity === EN.first || severity === FR.first ? 'first' : 'worth',
    rule,
    subject,
    advice,
    quote: '',
    language: place === FR.line || place === FR.lines ? 'fr' : 'en',
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

/** What comes first, then by line; claims, which are often meant otherwise, at the end. */
export function bySeverity(a: Finding, b: Finding): number {
  const isClaim = (one: Finding): number => (one.rule === 'claim' ? 1 : 0);
  return (
    SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
    isClaim(a) - isClaim(b) ||
    a.line - b.line
  );
}

export interface Exchange {
  kind: 'Challenge' | 'Withdrawn' | 'Upheld';
  /** Which argument it is; answers repeat the challenge's. */
  reason: string;
  finding: Finding;
  words: string;
}

/** A quoted line, with the paragraph that follows it. */
export interface Quotation {
  quoted: string;
  words: string;
  /** What stands above the quote, where it has our form. */
  kind: Exchange['kind'] | undefined;
  reason: string | undefined;
}

const MARK = /^\*\*(Challenge|Withdrawn|Upheld)\*\* · `([a-z][a-z-]{0,60})`(?: · .*)?$/;

/** An exchange as Markdown: what it is, the finding word for word, and why. `to` names whose finding it is. */
export function formatExchange({ kind, reason, finding, words }: Exchange, to = ''): string {
  const mark = `**${kind}** · \`${reason}\`${to === '' ? '' : ` · ${says(finding.language).toWhom(oneLine(to, 80))}`}`;
  return `${mark}\n\n> ${renderFindingHead(finding)}\n\n${oneLine(words, 600)}`;
}

/** Every quoted line of a contribution with what is said about it. */
export function parseQuotations(text: string): Quotation[] {
  const lines = text.split(/\r?\n/);
  return lines.flatMap((line, index) => {
    if (!line.startsWith('> ') || line.length > 4000) return [];
    const above = lines[index - 1] === '' ? lines[index - 2] : lines[index - 1];
    const [, kind, reason] = MARK.exec((above ?? '').slice(0, 300)) ?? [];
    const below = lines[index + 1] === '' ? lines[index + 2] : lines[index + 1];
    return [
      {
        quoted: line.slice(2).trim(),
        words: oneLine(below ?? '', 600),
        kind: kind as Exchange['kind'] | undefined,
        reason,
      },
    ];
  });
}

/** The exchanges of a contribution that have our form. */
export function parseExchanges(text: string): Exchange[] {
  return parseQuotations(text).flatMap(({ quoted, words, kind, reason }) => {
    const finding = parseHead(quoted);
    return finding && kind && reason ? [{ kind, reason, finding, words }] : [];
  });
}
