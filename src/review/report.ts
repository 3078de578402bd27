// What a review comes to, as data: every output is made of it.
import type { Words } from '../core/base/words/words.ts';

/** The worst first. */
export const SEVERITIES = ['blocker', 'major', 'minor', 'note'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** What a finding is about. */
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
  /** As in `ChangedFile.path`, also where the lines are of the old side. */
  file: string;
  side: 'new' | 'old';
  /** The first and the last line, from 1. */
  start: number;
  end: number;
}

/**
 * How a finding stands. `blocking`: the rule says so, even if one reviewer rejects it. `contested`: it is rejected, by no more than
 * hold it. `rejected`: by more than hold it. `open`: nobody rejects it, and it does not block. `outside`: its file or its lines are not
 * in the change. `refuted`: the code that it quotes stands nowhere in the change.
 */
export type Standing = (typeof STANDINGS)[number];

/** In the order in which people read them. */
export const STANDINGS = ['contested', 'blocking', 'open', 'rejected', 'outside', 'refuted'] as const;

/** What one reviewer wrote of a finding. */
export interface Wording {
  /** The id of a reviewer. */
  by: string;
  severity: Severity;
  title: string;
  text: string;
  fix?: string;
}

/** What one reviewer said of another's finding. */
export interface Judgement {
  by: string;
  kind: 'confirm' | 'reject' | 'severity';
  /** With `severity`. */
  severity?: Severity;
  text: string;
  /** False for a rejection that quotes no code of the change: it is shown, and counts for nothing. */
  counted: boolean;
}

export interface Finding {
  /** F1000 to F9999, from the fingerprint: in one report for one finding, and the same in the next. */
  id: string;
  /** 16 hexadecimal digits of file, quote and category: the same in the next review, wherever the lines have moved. */
  fingerprint: string;
  /** The median of finders and judges, the worse of the two middle ones. */
  severity: Severity;
  category: Category;
  /** One line. */
  title: string;
  /** Not set where the quoted code stands nowhere, and for a finding about the whole change. */
  place?: Place;
  /** The file that was named, where there is no place; not set where none was. */
  file?: string;
  /** The code as it was quoted, maybe of several lines. */
  quote: string;
  standing: Standing;
  /** Ids of reviewers; confirmations are in `judgements`. */
  finders: string[];
  wordings: Wording[];
  judgements: Judgement[];
}

/** Lines of a file that were changed, with those around them, as git counts them. */
export interface Hunk {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
}

export interface ChangedFile {
  /** From the top of the repository, with `/`; the old one where the file was deleted. */
  path: string;
  /** Set where it was renamed or copied. */
  oldPath?: string;
  change: 'added' | 'modified' | 'deleted' | 'renamed';
  hunks: Hunk[];
}

export interface Reviewer {
  id: string;
  name: string;
  /** What it wrote could be read; could not, also when asked once more; or nothing came. */
  status: 'read' | 'unreadable' | 'failed';
}

/** A file of the change that was not reviewed, and why. `files`: so many in this folder. */
export interface LeftOut {
  path: string;
  reason: Exclude<keyof Words['reviewLeaving'], 'files'>;
  files?: number;
}

/** A change, and what a table of reviewers found in it. */
export interface Review {
  /** The commits between which the change lies; null where that side is no commit. */
  base: string | null;
  head: string | null;
  /** What was reviewed, in words: `main..HEAD`, `what is not committed`, a file. */
  title: string;
  files: ChangedFile[];
  leftOut: LeftOut[];
  reviewers: Reviewer[];
  /** The severity from which a finding may block. */
  failOn: Severity;
  /** `none`: too few reviewers could be read. */
  verdict: 'pass' | 'block' | 'none';
  /** Contested ones first, then those that block, then by severity; `outside` and `refuted` last. */
  findings: Finding[];
  /** The archives of the councils, one for each part that a large change was cut into. */
  archives: string[];
  /** What the reader should know of the table, in sentences: two seats of one model, for example. */
  notes: string[];
}
