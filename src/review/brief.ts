// Renders a change as the briefs of its parts, each fitting into a prompt, and parses them back.

import { parseJsonSafely } from '../core/base/text.ts';
import { fill } from '../core/base/words/words.ts';
import { loadReviewWords } from './words.ts';
import type { Language } from '../core/base/words/words.ts';
import type { Change, DiffFile, DiffHunk, DiffLine } from './change.ts';
import { explainLeftOut, quoteLines } from './render-review.ts';
import type { Severity } from './report.ts';

/** The part of a change that one council reviews, with the review's settings. */
export interface Assignment {
  change: Change;
  failOn: Severity;
  /** Topics to concentrate on; empty for everything. */
  focus: string[];
  part: number;
  parts: number;
}

/** Prefix of the last line: one line of JSON with data that people need not read. */
const RECORD = 'Record: ';

/** Renders the task, the change with numbered lines, and a record that `parseBrief` reads back. */
export function renderBrief({ change, failOn, focus, part, parts }: Assignment, lang: Language): string {
  const { review, reviewLeaving } = loadReviewWords(lang);
  const { base, head, title, leftOut, files, about, since } = change;
  const record = { base, head, title, leftOut, failOn, part, parts, since };
  return [
    [
      review.task,
      ...(focus.length > 0 ? [fill(review.focus, { focus: focus.join(', ') })] : []),
      review.numbers,
      ...(parts > 1 ? [fill(review.part, { part, parts })] : []),
    ].join(' '),
    ...(about ? [review.about, quoteLines(about)] : []),
    ...files.map(renderFile),
    ...(leftOut.length > 0
      ? [
          review.leftOut,
          leftOut
            .map((one) => `- ${JSON.stringify(one.path)}: ${explainLeftOut(one, { reviewLeaving })}`)
            .join('\n'),
        ]
      : []),
    `${RECORD}${JSON.stringify(record)}`,
  ].join('\n\n');
}

/** The file name is printed as JSON, since it may contain quotes and line ends. */
export function renderFile({ path, oldPath, change, hunks }: DiffFile): string {
  const from = oldPath === undefined ? '' : ` from ${JSON.stringify(oldPath)}`;
  return [`### ${JSON.stringify(path)} ${change}${from}`, ...hunks.map(renderHunk)].join('\n\n');
}

/**
 * Every line of code starts with its number, so that none is mistaken for a heading, and is indented enough
 * to be a code block in Markdown.
 */
const renderHunk = ({ oldStart, oldLines, newStart, newLines, lines }: DiffHunk): string =>
  [
    `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
    '',
    ...lines.map(({ mark, number, text }) => `${String(number).padStart(8)} ${mark} ${text}`),
  ].join('\n');

const FILE = /^### ("(?:[^"\\]|\\.)*") (added|modified|deleted|renamed)(?: from ("(?:[^"\\]|\\.)*"))?$/;
const HUNK = /^@@ -(\d+),(\d+) \+(\d+),(\d+) @@$/;
const LINE = /^ *(\d+) ([ +-])(?: (.*))?$/s;

/** Parses the assignment in a brief. Any other brief, such as of a council opened by hand, gives an empty change. */
export function parseBrief(brief: string): Assignment {
  const lines = brief.split('\n');
  const { failOn, part, parts, ...change } = parseRecord(lines);
  const about = parseDescription(lines);
  const parsed = { ...change, files: parseFiles(lines), ...(about !== undefined && { about }) };
  return { change: parsed, focus: [], failOn, part, parts };
}

function parseDescription(lines: readonly string[]): string | undefined {
  const first = lines.findIndex((line) => FILE.test(line));
  const quoted = lines.slice(0, first === -1 ? undefined : first).filter((line) => line.startsWith('> '));
  return quoted.length === 0 ? undefined : quoted.map((line) => line.slice(2)).join('\n');
}

type BriefRecord = Omit<Change, 'files'> & Pick<Assignment, 'failOn' | 'part' | 'parts'>;

function parseRecord(lines: readonly string[]): BriefRecord {
  const none: BriefRecord = {
    base: null,
    head: null,
    title: '',
    leftOut: [],
    failOn: 'major',
    part: 1,
    parts: 1,
  };
  const record = lines.findLast((line) => line.startsWith(RECORD))?.slice(RECORD.length);
  return record?.startsWith('{') === true ? { ...none, ...(parseJsonSafely(record) as BriefRecord) } : none;
}

function parseFiles(lines: readonly string[]): DiffFile[] {
  const files: DiffFile[] = [];
  for (const line of lines) {
    const [, path, change, oldPath] = FILE.exec(line) ?? [];
    const hunk = HUNK.exec(line);
    const code = LINE.exec(line);
    const file = files.at(-1);
    if (path !== undefined)
      files.push({
        path: JSON.parse(path) as string,
        ...(oldPath !== undefined && { oldPath: JSON.parse(oldPath) as string }),
        change: change as DiffFile['change'],
        hunks: [],
      });
    else if (hunk && file) {
      const [oldStart, oldLines, newStart, newLines] = hunk.slice(1).map(Number) as [
        number,
        number,
        number,
        number,
      ];
      file.hunks.push({ oldStart, oldLines, newStart, newLines, lines: [] });
    } else if (code && file)
      file.hunks.at(-1)?.lines.push({
        mark: code[2] as DiffLine['mark'],
        number: Number(code[1]),
        text: code[3] ?? '',
      });
  }
  return files;
}

/** Bytes per part as rendered in a prompt: about forty thousand tokens. */
export const PART_BYTES = 160 * 1024;

/**
 * Splits the files of a change into parts of at most `limit` bytes each. A larger file is split between its
 * hunks, and a larger hunk between its lines: nothing is left out.
 */
export function cutChange({ files }: Pick<Change, 'files'>, limit = PART_BYTES): DiffFile[][] {
  const parts: DiffFile[][] = [];
  let room = 0;
  for (const piece of files.flatMap((file) => cutFile(file, limit))) {
    const bytes = measureFile(piece);
    if (parts.length === 0 || bytes > room) {
      parts.push([]);
      room = limit;
    }
    room -= bytes;
    const part = parts.at(-1)!;
    const last = part.at(-1);
    // A file that became a symbolic link appears twice: as deleted and as added.
    if (last?.path === piece.path && last.change === piece.change) last.hunks.push(...piece.hunks);
    else part.push({ ...piece, hunks: [...piece.hunks] });
  }
  return parts;
}

const measureFile = (file: DiffFile): number => Buffer.byteLength(renderFile(file));

function cutFile(file: DiffFile, limit: number): DiffFile[] {
  if (measureFile(file) <= limit) return [file];
  return file.hunks.flatMap((hunk) => cutHunk(hunk, limit)).map((hunk) => ({ ...file, hunks: [hunk] }));
}

/** Halves a hunk until the pieces fit; a single line is not split. */
function cutHunk(hunk: DiffHunk, limit: number): DiffHunk[] {
  const { lines } = hunk;
  const bytes = lines.reduce((sum, { text }) => sum + Buffer.byteLength(text) + 12, 0);
  if (bytes <= limit || lines.length < 2) return [hunk];
  const half = Math.ceil(lines.length / 2);
  const [first, second] = [lines.slice(0, half), lines.slice(half)];
  const ofOld = first.filter(({ mark }) => mark !== '+').length;
  const ofNew = first.filter(({ mark }) => mark !== '-').length;
  const before = { ...hunk, oldLines: ofOld, newLines: ofNew, lines: first };
  const after = {
    oldStart: hunk.oldStart + ofOld,
    oldLines: hunk.oldLines - ofOld,
    newStart: hunk.newStart + ofNew,
    newLines: hunk.newLines - ofNew,
    lines: second,
  };
  return [...cutHunk(before, limit), ...cutHunk(after, limit)];
}
