// Offline panel: findings, challenges and answers: types, rendering, parsing and sorting.

import { toOneLine } from '../core/base/text.ts';
import { getSentences } from './says.ts';
import type { Language } from './says.ts';

/** `first` is proved by the page itself, `worth` is for a reader to judge. */
export const SEVERITIES = ['first', 'worth'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** A remark on the brief, in the form shared by all reviewers. */
export interface Finding {
  /** 1 for the brief's first line. */
  line: number;
  /** Other lines that belong to it. */
  also: readonly number[];
  severity: Severity;
  /** Lower-case letters, digits and hyphens. */
  rule: string;
  /** The words concerned; empty if the finding is about the whole line. */
  subject: string;
  advice: string;
  /** Verbatim from the line; empty if the line has no text. */
  quote: string;
  language: Language;
}

const EN = getSentences('en');
const FR = getSentences('fr');
const HEAD = new RegExp(
  `^\\*\\*(${EN.lines}|${EN.line}|${FR.lines}|${FR.line}) (\\d{1,7}(?:, \\d{1,7}){0,20})\\*\\* · (${EN.first}|${EN.worth}|${FR.first}|${FR.worth}) · \`([a-z][a-z0-9-]{0,60})\` · (.+)$`,
);
const SUBJECT = /^"([^"]+)" · (.+)$/;
/** Longer lines are not the panel's findings, and would take long to parse. */
const LONGEST_HEAD = 2000;

/** Creates a finding whose parts fit the form: one line each, without double quotes. */
export function createFinding(parts: Finding): Finding {
  const plain = (text: string, max: number): string => toOneLine(text.replaceAll('"', "'"), max);
  return {
    ...parts,
    also: [...new Set(parts.also)].filter((line) => line !== parts.line).slice(0, 20),
    subject: plain(parts.subject, 80),
    advice: plain(parts.advice, 600),
  };
}

/** Returns "Line 12", "Lines 12, 30". */
export const describeLines = ({
  line,
  also,
  language,
}: Pick<Finding, 'line' | 'also' | 'language'>): string =>
  `${also.length === 0 ? getSentences(language).line : getSentences(language).lines} ${[line, ...also].join(', ')}`;

/** Renders a finding's first line; others refer to the finding by it. */
export function renderFindingHead(one: Finding): string {
  const words = getSentences(one.language);
  const subject = one.subject === '' ? '' : `"${one.subject}" · `;
  return `**${describeLines(one)}** · ${words[one.severity]} · \`${one.rule}\` · ${subject}${one.advice}`;
}

/** Renders a finding as Markdown: its head line and its quote. */
export function formatFinding(one: Finding): string {
  return one.quote === '' ? renderFindingHead(one) : `${renderFindingHead(one)}\n\n> ${one.quote}`;
}

/** Parses a head line; undefined for any other line. The quote stays empty. */
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

/** Parses all findings in a contribution, ignoring other lines. */
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

/** Returns whether both are the same remark; advice and quote may differ. */
export function isSameFinding(a: Finding, b: Finding): boolean {
  return a.line === b.line && a.rule === b.rule && a.subject.toLowerCase() === b.subject.toLowerCase();
}

/** Sorts by severity, then by line, with claims last, as they are often justified. */
export function compareSeverity(a: Finding, b: Finding): number {
  const isClaim = (one: Finding): number => (one.rule === 'claim' ? 1 : 0);
  return (
    SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
    isClaim(a) - isClaim(b) ||
    a.line - b.line
  );
}

export interface Exchange {
  kind: 'Challenge' | 'Withdrawn' | 'Upheld';
  /** The id of the argument; answers repeat the challenge's. */
  reason: string;
  finding: Finding;
  words: string;
}

/** A quoted line, with the paragraph that follows it. */
export interface Quotation {
  quoted: string;
  words: string;
  /** Parsed from the line above the quote if it has the panel's form. */
  kind: Exchange['kind'] | undefined;
  reason: string | undefined;
}

const MARK = /^\*\*(Challenge|Withdrawn|Upheld)\*\* · `([a-z][a-z-]{0,60})`(?: · .*)?$/;

/** Renders an exchange as Markdown: its kind, the finding verbatim, the reason. `to` names the finding's author. */
export function formatExchange({ kind, reason, finding, words }: Exchange, to = ''): string {
  const mark = `**${kind}** · \`${reason}\`${to === '' ? '' : ` · ${getSentences(finding.language).toWhom(toOneLine(to, 80))}`}`;
  return `${mark}\n\n> ${renderFindingHead(finding)}\n\n${toOneLine(words, 600)}`;
}

/** Parses every quoted line of a contribution with the text about it. */
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
        words: toOneLine(below ?? '', 600),
        kind: kind as Exchange['kind'] | undefined,
        reason,
      },
    ];
  });
}

/** Parses the exchanges of a contribution that have the panel's form. */
export function parseExchanges(text: string): Exchange[] {
  return parseQuotations(text).flatMap(({ quoted, words, kind, reason }) => {
    const finding = parseHead(quoted);
    return finding && kind && reason ? [{ kind, reason, finding, words }] : [];
  });
}
