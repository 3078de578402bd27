// Finds text in a change that is addressed to reviewers (hidden characters, "ignore the above"): each is a finding of its own.
import type { Change, DiffLine } from './change.ts';
import type { SaidFinding } from './read-findings.ts';

/** Who finds these, beside the reviewers. */
export const COUNCIL = 'council';

const SIGNS: { pattern: RegExp; title: string }[] = [
  {
    pattern: /[\u202A-\u202E\u2066-\u2069]/u,
    title: 'Invisible characters change the order in which this is read',
  },
  { pattern: /[\u{E0000}-\u{E007F}]/u, title: 'Here is text that no editor shows' },
  {
    pattern:
      /\b(?:ignore|disregard|forget)\b.{0,40}\b(?:previous|prior|above|earlier|other)\b.{0,40}\b(?:instructions?|prompts?|rules?)\b/iu,
    title: 'This tells reviewers to ignore their instructions',
  },
  {
    pattern:
      /\b(?:reviewers?|ai|llm|assistants?|models?)\b.{0,60}\b(?:must|should|please)\b.{0,40}\b(?:approve|confirm|report no|find nothing|say nothing)\b/iu,
    title: 'This tells reviewers what to find',
  },
];

/** The signs in what a change adds, names of files included, as findings. */
export function findSigns({ files }: Pick<Change, 'files'>): SaidFinding[] {
  return files.flatMap(({ path, hunks }) => [
    ...describeSign(path).map((title) => toFinding(path, title)),
    ...hunks.flatMap(({ lines }) =>
      lines
        .filter(({ mark }) => mark === '+')
        .flatMap((line) => describeSign(line.text).map((title) => toFinding(path, title, line))),
    ),
  ]);
}

/** What a text does, at most one thing of it. */
const describeSign = (text: string): string[] =>
  SIGNS.filter(({ pattern }) => pattern.test(text))
    .map(({ title }) => title)
    .slice(0, 1);

const toFinding = (file: string, title: string, line?: DiffLine): SaidFinding => ({
  ...{ severity: 'major', category: 'security', title, file, side: 'new' },
  lines: line ? { start: line.number, end: line.number } : null,
  quotes: line ? [line.text] : [],
  text: 'Found by a rule of council itself, whatever the reviewers say.',
  fix: undefined,
});
