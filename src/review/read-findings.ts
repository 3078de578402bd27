// Parses the findings in a reviewer's answer as written; they are not located yet.
import { toOneLine } from '../core/base/text.ts';
import { asItems } from '../core/council/ledger/text/form-value-words.ts';
import { writeFindingRecords } from './finding-records.ts';
import {
  findSeverity,
  FIX,
  NOTHING_FOUND,
  SEVERITY_LINE,
  HEAD_SHAPES,
  LIST_ITEM,
  toPlainText,
  readHead,
  readLabel,
} from './finding-words.ts';
import type { Category, Severity } from './report.ts';
import { findKnownPlace, findPlace, listKnownNames } from './finding-records.ts';
import type { KnownName, SaidLines } from './finding-records.ts';

export interface SaidFinding {
  severity: Severity;
  /** Null if no known category is named. */
  category: Category | null;
  title: string;
  /** As written; null if no file is named. */
  file: string | null;
  /** Null if only the file was named. */
  lines: SaidLines | null;
  side: 'new' | 'old';
  /** The quoted code, one entry per block. */
  quotes: string[];
  text: string;
  fix: string | undefined;
}

export interface ReadFindings {
  findings: SaidFinding[];
  saysNothing: boolean;
}

const HEADING = /^#{1,6}[ \t]+(.+)$/;
/** A heading without `#`, such as a bold line or a list item. It counts only if it starts with a known severity. */
const LOOSE_HEADING =
  /^[ \t]*(?:[-*+][ \t]+|\d+[.)][ \t]+)?\*\*(.+?)\*\*(.*)$|^[ \t]*(?:[-*+][ \t]+|\d+[.)][ \t]+)?((?:\p{L}|[ ,/()-])+[:：].+)$/u;

const FENCED = /^[ \t]*(`{3,}|~{3,})[\s\S]*?^[ \t]*\1/gm;

/**
 * Parses a whole answer. `paths` are the changed files: names with spaces are recognized only by them. Tables
 * and data are read only if no other findings are found, since they often just sum up the text above.
 */
export function readFindings(text: string, paths: readonly string[]): ReadFindings {
  const names = listKnownNames(paths);
  const said = readSections(text, names);
  return said.findings.length > 0 ? said : readSections(writeFindingRecords(text), names);
}

function readSections(text: string, names: readonly KnownName[]): ReadFindings {
  const findings = joinRemarks(splitSections(text, names), names)
    .flatMap((section) => splitItems(section, names))
    .flatMap((section) => readSection(section, names) ?? []);
  // An answer that quotes code has found something, but a quote inside a fence may be an example.
  const quotesCode = /^[ \t]*>/m.test(text.replace(FENCED, ''));
  return { findings, saysNothing: findings.length === 0 && !quotesCode && NOTHING_FOUND.test(text) };
}

interface FindingsSection {
  head: string;
  /** Starts with `#` instead of only resembling a heading. */
  isHeading: boolean;
  body: string[];
}

function splitSections(text: string, names: readonly KnownName[]): FindingsSection[] {
  const sections: FindingsSection[] = [];
  let fence = '';
  for (const line of text.split(/\r?\n/)) {
    const mark = /^[ \t]*(`{3,}|~{3,})/.exec(line)?.[1] ?? '';
    if (mark !== '') fence = fence === '' ? mark : mark.startsWith(fence) ? '' : fence;
    // A file name may look like a heading.
    const isPlace = names.some(({ written }) => line.startsWith(written));
    const head = fence === '' && mark === '' && !isPlace ? findHead(line) : undefined;
    if (head) sections.push({ ...head, body: [] });
    else sections.at(-1)?.body.push(line);
  }
  return sections;
}

/** Splits off items with a place and code as findings, with the severity of a heading such as `Minor issues`. */
function splitItems(section: FindingsSection, names: readonly KnownName[]): FindingsSection[] {
  const { head, isHeading, body } = section;
  if (!isHeading || readHead(head).severity !== undefined) return [section];
  const starts = body.flatMap((line, at) => {
    const item = LIST_ITEM.exec(line)?.[1];
    return item !== undefined && findKnownPlace(item, names)?.lines ? [{ item: toPlainText(item), at }] : [];
  });
  const label = readLabel(head);
  const items = starts.map(({ item, at }, index) => ({
    head: label === undefined || readHead(item).severity ? item : `${label}: ${item}`,
    isHeading: true,
    body: body.slice(at + 1, starts[index + 1]?.at),
  }));
  const isList =
    items.length > (label === undefined ? 1 : 0) &&
    items.every((one) => splitBody(one.body).quotes.length > 0);
  return isList ? items : [section];
}

/** Joins `**Note:** …` without a place to the finding above if that has no quote yet: it is a remark. */
function joinRemarks(sections: readonly FindingsSection[], names: readonly KnownName[]): FindingsSection[] {
  const joined: FindingsSection[] = [];
  for (const one of sections) {
    const above = joined.at(-1);
    const isRemark =
      !one.isHeading &&
      readHead(one.head).severity === 'note' &&
      above !== undefined &&
      readHead(above.head).severity !== undefined &&
      splitBody(above.body).quotes.length === 0 &&
      ![one.head, ...one.body].some((line) => findPlace(line, names));
    if (isRemark) above.body.push(one.head, ...one.body);
    else joined.push({ ...one });
  }
  return joined;
}

function findHead(line: string): Omit<FindingsSection, 'body'> | undefined {
  const heading = HEADING.exec(line)?.[1];
  if (heading !== undefined) return { head: toPlainText(heading), isHeading: true };
  const [, bold, behind = '', plain] = LOOSE_HEADING.exec(line) ?? [];
  const head = toPlainText(bold === undefined ? (plain ?? '') : `${bold}${behind}`);
  if (SEVERITY_LINE.test(line)) return undefined;
  const { severity, title } = readHead(head, HEAD_SHAPES.slice(0, bold === undefined ? 1 : 3));
  // "blocking: []" is a form field, "Blocker: none" an answer.
  return severity !== undefined && asItems(title).length > 0 ? { head, isHeading: false } : undefined;
}

/** Brackets and punctuation left over at the end of a heading after its place was cut out. */
const EMPTY_BRACKETS = /[([]?[`"'*\s]*[)\]]?[\s:：,–—-]*$/u;

/** Parses a section as a finding if it has a known severity, or if it is a heading with a place and a quote. */
function readSection(
  { head, isHeading, body }: FindingsSection,
  names: readonly KnownName[],
): SaidFinding | undefined {
  const inHead = findKnownPlace(head, names);
  const { severity, category, title } = readHead(
    inHead ? head.replace(inHead.words, '').replace(EMPTY_BRACKETS, '').trim() : head,
  );
  const fixLine = body.findIndex((line) => FIX.test(line));
  const parts = splitBody(body);
  // The code of a suggested fix is not in the change.
  const quoted = fixLine === -1 ? parts : splitBody(body.slice(0, fixLine));
  const quotes = quoted.quotes.filter((quote) => findKnownPlace(quote, names)?.words !== quote.trim());
  const said = severity ?? parts.severity;
  const place = inHead ?? parts.lines.map((line) => findPlace(line, names)).find((one) => one !== undefined);
  const isFinding =
    said !== undefined || (isHeading && place !== undefined && place.lines !== null && quotes.length > 0);
  if (!isFinding) return undefined;
  const text = parts.lines.filter((line) => !place || line !== place.line);
  const fixAt = text.findIndex((line) => FIX.test(line));
  return {
    // An unknown severity counts as the worst, so that nothing that makes a verdict stricter is lost.
    severity: said ?? 'blocker',
    category: category ?? null,
    title: toOneLine(title, 200),
    ...{ file: place?.file ?? null, lines: place?.lines ?? null, side: place?.side ?? 'new' },
    quotes,
    text: joinText(fixAt === -1 ? text : text.slice(0, fixAt)),
    fix: fixAt === -1 ? undefined : joinText(text.slice(fixAt)).replace(FIX, '') || undefined,
  };
}

const joinText = (lines: readonly string[]): string =>
  lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();

/** Splits the body of a section into quotes (in `>` lines or fences) and other lines. */
export function splitBody(body: readonly string[]): {
  quotes: string[];
  lines: string[];
  severity: Severity | undefined;
} {
  const quotes: string[] = [];
  const lines: string[] = [];
  let open: string[] | undefined;
  let fence = '';
  const close = (): void => {
    if (open) quotes.push(open.join('\n'));
    open = undefined;
  };
  for (const line of body) {
    const mark = /^[ \t]*(`{3,}|~{3,})/.exec(line)?.[1] ?? '';
    const quoted = fence === '' ? /^[ \t]*(?:[-*+][ \t]+)?>[ \t]?(.*)$/.exec(line)?.[1] : undefined;
    if (mark !== '' && (fence === '' || mark.startsWith(fence))) {
      close();
      fence = fence === '' ? mark : '';
      if (fence !== '') open = [];
    } else if (fence !== '') open?.push(line);
    else if (quoted !== undefined) (open ??= []).push(quoted);
    else {
      close();
      lines.push(line);
    }
  }
  close();
  const severity = lines.map((line) => findSeverity(SEVERITY_LINE.exec(line)?.[1] ?? '')).find(Boolean);
  // Inline code counts only if there is no block: a mere name must not replace a quote that does not match.
  const inline = lines.flatMap((line) => [...line.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code));
  const blocks = quotes.filter((quote) => quote.trim() !== '');
  return { quotes: blocks.length > 0 ? blocks : inline, lines, severity };
}
