// The brief of a review: the change with numbered lines, and back from the brief to the change.
import { parseJsonSafely } from '../core/base/text.ts';
import { fill, loadWords } from '../core/base/words/words.ts';
import type { Language } from '../core/base/words/words.ts';
import type { Change, DiffFile, DiffHunk, DiffLine } from './change.ts';
import { explainLeftOut, quoteLines } from './render-review.ts';
import type { Severity } from './report.ts';

/** A part of a change that one table reviews, with how. */
export interface Assignment {
  change: Change;
  failOn: Severity;
  /** What to look at above all; empty for everything. */
  focus: string[];
  part: number;
  parts: number;
}

/** What a person does not need to read stands in one line of JSON, last. */
const RECORD = 'Record: ';

export function renderBrief({ change, failOn, focus, part, parts }: Assignment, lang: Language): string {
  const { review, reviewLeaving } = loadWords(lang);
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

/** The name is JSON, as names may hold quotes and line ends. */
export function renderFile({ path, oldPath, change, hunks }: DiffFile): string {
  const from = oldPath === undefined ? '' : ` from ${JSON.stringify(oldPath)}`;
  return [`### ${JSON.stringify(path)} ${change}${from}`, ...hunks.map(renderHunk)].join('\n\n');
}

/** Every line of code begins with its number, so that none can pass for a heading, and far enough in to be code in Markdown. */
const renderHunk = ({ oldStart, oldLines, newStart, newLines, lines }: DiffHunk): string =>
  [
    `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
    '',
    ...lines.map(({ mark, number, text }) => `${String(number).padStart(8)} ${mark} ${text}`),
  ].join('\n');

const FILE = /^### ("(?:[^"\\]|\\.)*") (added|modified|deleted|renamed)(?: from ("(?:[^"\\]|\\.)*"))?$/;
const HUNK = /^@@ -(\d+),(\d+) \+(\d+),(\d+) @@$/;
const LINE = /^ *(\d+) ([ +-])(?: (.*))?$/s;

/** The assignment that a brief holds. A brief of another kind, of a council that was opened by hand, holds no change. */
export function parseBrief(brief: string): Assignment {
  const lines = brief.split('\n');
  const { failOn, part, parts, ...change } = parseRecord(lines);
  const about = parseAbout(lines);
  const parsed = { ...change, files: parseFiles(lines), ...(about !== undefined && { about }) };
  return { change: parsed, focus: [], failOn, part, parts };
}

function parseAbout(lines: readonly string[]): string | undefined {
  const first = lines.findIndex((line) => FILE.test(line));
  const quoted = lines.slice(0, first === -1 ? undefined : first).filter((line) => line.startsWith('> '));
  return quoted.length === 0 ? undefined : quoted.map((line) => line.slice(2)).join('\n');
}

type Record = Omit<Change, 'files'> & Pick<Assignment, 'failOn' | 'part' | 'parts'>;

function parseRecord(lines: readonly string[]): Record {
  const none: Record = { base: null, head: null, title: '', leftOut: [], failOn: 'major', part: 1, parts: 1 };
  const record = lines.findLast((line) => line.startsWith(RECORD))?.slice(RECORD.length);
  return record?.startsWith('{') === true ? { ...none, ...(parseJsonSafely(record) as Record) } : none;
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
