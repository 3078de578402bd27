// The result of a review as data; every output is rendered from it.
import type { ReviewWords } from './words.ts';

/** Worst first. */
export const SEVERITIES = ['blocker', 'major', 'minor', 'note'] as const;
export type Severity = (typeof SEVERITIES)[number];

export const CATEGORIES = [
  'correctness',
  'security',
  'data-loss',
  'concurrency',
  'errors',
  'performance',
  'compatibility',
  'tests',
  'documentation',
  'maintainability',
] as const;
export type Category = (typeof CATEGORIES)[number];

/** Lines of one file, on one side of the change. */
export interface Place {
  /** As in `ChangedFile.path`, even for lines of the old side. */
  file: string;
  side: 'new' | 'old';
  /** First and last line, starting at 1. */
  start: number;
  end: number;
}

/**
 * `blocking`: blocks by the rule, even if one reviewer rejects it. `contested`: rejected, but by no more
 * reviewers than uphold it. `rejected`: by more than uphold it. `open`: not rejected, and not blocking.
 * `outside`: its file or lines are not in the change. `refuted`: the quoted code does not occur in the
 * change.
 */
export type Standing = (typeof STANDINGS)[number];

/** In reading order. */
export const STANDINGS = ['contested', 'blocking', 'open', 'rejected', 'outside', 'refuted'] as const;

/** One reviewer's wording of a finding. */
export interface Wording {
  /** The id of a reviewer. */
  by: string;
  severity: Severity;
  title: string;
  text: string;
  fix?: string;
}

/** One reviewer's judgement of another's finding. */
export interface Judgement {
  by: string;
  kind: 'confirm' | 'reject' | 'severity';
  /** Only for the kind `severity`. */
  severity?: Severity;
  text: string;
  /** False for a rejection that quotes no code of the change: it is shown, but does not count. */
  counted: boolean;
}

export interface Finding {
  /** F1000 to F9999, derived from the fingerprint: unique within a report, and stable across reviews. */
  id: string;
  /** 16 hexadecimal digits of file, quote and category: stable across reviews, even if the lines move. */
  fingerprint: string;
  /** The median of finders and judges; for an even count, the worse of the middle two. */
  severity: Severity;
  category: Category;
  /** One line. */
  title: string;
  /** Missing if the quoted code does not occur in the change, and for a finding about the whole change. */
  place?: Place;
  /** The named file if there is no place; missing if none was named. */
  file?: string;
  /** The code as quoted, possibly several lines. */
  quote: string;
  standing: Standing;
  /** Ids of reviewers; confirmations are in `judgements`. */
  finders: string[];
  wordings: Wording[];
  judgements: Judgement[];
}

/** Changed lines with their context, counted as in git. */
export interface Hunk {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
}

export interface ChangedFile {
  /** Relative to the top of the repository, with `/`; the old path for a deleted file. */
  path: string;
  /** Set for renamed or copied files. */
  oldPath?: string;
  change: 'added' | 'modified' | 'deleted' | 'renamed';
  hunks: Hunk[];
}

export interface Reviewer {
  id: string;
  name: string;
  /** Whether the answer could be read, could not even after asking again, or is missing. */
  status: 'read' | 'unreadable' | 'failed';
}

/** A file that was not reviewed, and why. `files`: the number of files in this folder. */
export interface LeftOut {
  path: string;
  reason: Exclude<keyof ReviewWords['reviewLeaving'], 'files'>;
  files?: number;
}

export interface Review {
  /** The commits at both ends of the change; null if that side is not a commit. */
  base: string | null;
  head: string | null;
  /** A description of what was reviewed: `main..HEAD`, `what is not committed`, a file. */
  title: string;
  files: ChangedFile[];
  leftOut: LeftOut[];
  reviewers: Reviewer[];
  failOn: Severity;
  /** `none`: too few reviewers could be read. */
  verdict: 'pass' | 'block' | 'none';
  /** Contested ones first, then blocking, then by severity; `outside` and `refuted` last. */
  findings: Finding[];
  /** The archives of the councils, one for each part of a large change. */
  archives: string[];
  /** Notes on the table for the reader, as sentences: for example that two seats have the same model. */
  notes: string[];
}
