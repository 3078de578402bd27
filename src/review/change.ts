// A change with its lines, as it was read from a diff.
import type { ChangedFile, Hunk, Review } from './report.ts';

/** One line of a hunk. `number` is of the new file, for a line that was removed of the old one. */
export interface DiffLine {
  mark: ' ' | '+' | '-';
  number: number;
  text: string;
}

export interface DiffHunk extends Hunk {
  lines: DiffLine[];
}

export interface DiffFile extends Omit<ChangedFile, 'hunks'> {
  hunks: DiffHunk[];
}

/** What is to be reviewed, frozen: nothing is read from the repository after it. */
export interface Change extends Pick<Review, 'base' | 'head' | 'title' | 'leftOut'> {
  files: DiffFile[];
  /** What people wrote about it: data for the reviewers. */
  about?: string;
  /** The archive of the review that this one goes on from. */
  since?: string;
}

/** The hunk of a text whose lines are all new. */
export function createWholeHunk(text: string): DiffHunk {
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/);
  return {
    oldStart: 0,
    oldLines: 0,
    newStart: 1,
    newLines: lines.length,
    lines: lines.map((line, at) => ({ mark: '+', number: at + 1, text: line })),
  };
}
