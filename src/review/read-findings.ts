// Reads the findings that a reviewer has written, as they were said: nothing is looked up yet.
import { oneLine } from '../core/base/text.ts';
import { asItems } from '../core/council/ledger/text/form-value-words.ts';
import { findCategory, findSeverity, FIX, NOTHING, SEVERITY_LINE } from './finding-words.ts';
import type { Category, Severity } from './report.ts';

/** A finding in its author's words. */
export interface SaidFinding {
  severity: Severity;
  /** Null where none of the known ones is named. */
  category: Category | null;
  title: string;
  /** As it was written; null where no file is named. */
  file: string | null;
  /** The lines that were said; null where only the file was. */
  lines: { start: number; end: number } | null;
  side: 'new' | 'old';
  /** What was quoted, each block by itself. */
  quotes: string[];
  text: string;
  fix: string | undefined;
}

export interface ReadFindings {
  findings: SaidFinding[];
  /** It says that there is nothing to find. */
  saysNothing: boolean;
}

const HEADING = /^#{1,6}[ \t]+(.+)$/;
/** A heading without `#`: a line in bold, an item of a list. Read as one only where it begins with a known severity. */
const LOOSE_HEADING =
  /^[ \t]*(?:[-*+][ \t]+|\d+[.)][ \t]+)?\*\*(.+?)\*\*(.*)$|^[ \t]*(?:[-*+][ \t]+|\d+[.)][ \t]+)?((?:\p{L}|[ ,/()-])+[:：].+)$/u;

/** A file of the change, and how it may be written. */
interface KnownName {
  file: string;
  written: string;
}

/** Reads a whole answer. `paths` are the files of the change: a name with spaces is known by them alone. */
export function readFindings(text: string, paths: readonly string[]): ReadFindings {
  const names = paths
    .toSorted((a, b) => b.length - a.length)
    // Also as the brief writes it, where a name has quotes or line ends.
    .flatMap((file) =>
      [...new Set([file, JSON.stringify(file).slice(1, -1)])].map((written) => ({ file, written })),
    );
  const findings = splitSections(text, names).flatMap((section) => readSection(section, names) ?? []);
  return { findings, saysNothing: findings.length === 0 && NOTHING.test(text) };
}

interface Section {
  head: string;
  /** `#`, not just a line that looks like a heading. */
  isHeading: boolean;
  body: string[];
}

function splitSections(text: string, names: readonly KnownName[]): Section[] {
  const sections: Section[] = [];
  let fence = '';
  for (const line of text.split(/\r?\n/)) {
    const mark = /^[ \t]*(`{3,}|~{3,})/.exec(line)?.[1] ?? '';
    if (mark !== '') fence = fence === '' ? mark : mark.startsWith(fence) ? '' : fence;
    // A file may have a name that looks like a heading.
    const isPlace = names.some(({ written }) => line.startsWith(written));
    const head = fence === '' && mark === '' && !isPlace ? findHead(line) : undefined;
    if (head) sections.push({ ...head, body: [] });
    else sections.at(-1)?.body.push(line);
  }
  return sections;
}

function findHead(line: string): Omit<Section, 'body'> | undefined {
  const heading = HEADING.exec(line)?.[1];
  if (heading !== undefined) return { head: plainText(heading), isHeading: true };
  const [, bold, behind = '', plain] = LOOSE_HEADING.exec(line) ?? [];
  const head = plainText(bold === undefined ? (plain ?? '') : `${bold}${behind}`);
  const { severity, title } = readHead(head);
  // "blocking: []" is a field of a form, "Blocker: none" an answer.
  return severity !== undefined && asItems(title).length > 0 ? { head, isHeading: false } : undefined;
}

const plainText = (text: string): string =>
  text
    .replace(/[*_`]{2,}/g, '')
    .replace(/[ \t]+#+$/, '')
    .trim();

/** `major, concurrency: the title`: severity and category before the first colon, in any order and with anything between them. */
function readHead(head: string): { severity?: Severity; category?: Category; title: string } {
  const numbered = head.replace(/^(?:F?\d+\s*[.:)–—-]\s*)/u, '');
  const [, before = '', after = ''] = /^([^:：]{1,60})[:：]\s*(.*)$/u.exec(numbered) ?? [];
  const words = before.split(/[\s,/()[\]|–—]+|\s-\s/u).filter(Boolean);
  const severity = words.map(findSeverity).find((one) => one !== undefined);
  const pairs = words.map((word, at) => `${word} ${words[at + 1] ?? ''}`);
  const category = [...pairs, ...words].map(findCategory).find((one) => one !== undefined);
  if (severity === undefined && category === undefined) return { title: numbered };
  return { ...(severity && { severity }), ...(category && { category }), title: after };
}

/** A finding, where a section is one: its severity is known, or it is a heading below which a place and a quote stand. */
function readSection(
  { head, isHeading, body }: Section,
  names: readonly KnownName[],
): SaidFinding | undefined {
  const { severity, category, title } = readHead(head);
  const parts = splitBody(body);
  const said = severity ?? parts.severity;
  const place = parts.lines.map((line) => findPlace(line, names)).find((one) => one !== undefined);
  const isFinding =
    said !== undefined ||
    (isHeading && place !== undefined && place.lines !== null && parts.quotes.length > 0);
  if (!isFinding) return undefined;
  const text = parts.lines.filter((line) => !place || line !== place.line);
  const fixAt = text.findIndex((line) => FIX.test(line));
  return {
    // What cannot be told counts as the worst: nothing that makes a verdict stricter is lost.
    severity: said ?? 'blocker',
    category: category ?? null,
    title: oneLine(title, 200),
    ...{ file: place?.file ?? null, lines: place?.lines ?? null, side: place?.side ?? 'new' },
    quotes: parts.quotes,
    text: joinText(fixAt === -1 ? text : text.slice(0, fixAt)),
    fix: fixAt === -1 ? undefined : joinText(text.slice(fixAt)).replace(FIX, '') || undefined,
  };
}

const joinText = (lines: readonly string[]): string =>
  lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();

/** The body of a section: what it quotes, in lines with `>` or in fences, and its other lines. */
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
    const quoted = fence === '' ? /^[ \t]*>[ \t]?(.*)$/.exec(line)?.[1] : undefined;
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
  // Who quotes in no block may have done so in the sentence.
  const inline = lines.flatMap((line) => [...line.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code));
  return { quotes: [...quotes, ...inline].filter((quote) => quote.trim() !== ''), lines, severity };
}

interface SaidPlace {
  file: string;
  lines: SaidFinding['lines'];
  side: SaidFinding['side'];
  line: string;
}

const NUMBERS =
  /^[`*"'\s]*(?::|#L|,?\s*\(?(?:lines?|lignes?)\s*|\s+L)(\d+)(?:\s*(?:[-–—]|to|à)\s*L?(\d+))?/iu;
const OLD_SIDE = /\b(?:old|removed|ancien|retirée?)\b/iu;
const UNKNOWN_PLACE = /^[\s*_`"'-]*((?:[\w.@+-]+\/)*[\w.@+-]+)[`"']?:(\d+)(?:\s*[-–—]\s*(\d+))?/u;

/** The place that a line names: a file of the change anywhere in it, or what looks like a file at its beginning. */
function findPlace(line: string, names: readonly KnownName[]): SaidPlace | undefined {
  for (const { file, written } of names) {
    const at = findPath(line, written);
    if (at === -1) continue;
    const behind = line.slice(at + written.length);
    const numbers = NUMBERS.exec(behind);
    const side = OLD_SIDE.test(behind) ? 'old' : 'new';
    return { file, side, line, lines: numbers && toRange(numbers[1], numbers[2]) };
  }
  const [, file, start, end] = UNKNOWN_PLACE.exec(line) ?? [];
  return file === undefined ? undefined : { file, side: 'new', line, lines: toRange(start, end) };
}

/** Where a path stands in a line as a whole path; -1 where it does not. */
function findPath(line: string, path: string): number {
  for (let at = line.indexOf(path); at !== -1; at = line.indexOf(path, at + 1)) {
    const before = line.slice(0, at);
    const after = line[at + path.length] ?? '';
    if ((before === '' || /[\s`"'(*[]$|(?:^|[\s`"'(*[])(?:[ab]|\.)\/$/.test(before)) && !/[\w/]/.test(after))
      return at;
  }
  return -1;
}

function toRange(first: string | undefined, second: string | undefined): { start: number; end: number } {
  const [a, b] = [Number(first), Number(second ?? first)];
  return { start: Math.min(a, b), end: Math.max(a, b) };
}
