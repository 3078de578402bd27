// Offline panel: what an objection to a finding is, with shared helpers.
import type { Document, Span } from './document.ts';
import type { Finding } from './finding.ts';
import { lineText, occurrences } from './place.ts';
import type { Located, Reviewer, ReviewerId } from './reviewer.ts';

/** What a reviewer has before it when it reads the findings of others. */
export interface Bench {
  document: Document;
  reviewer: Reviewer;
  /** Everything it found itself. */
  own: readonly Located[];
}

export interface Answer {
  withdrawn: boolean;
  why: string;
}

/** One kind of collision between findings: who sees it, when it is there, and what the finding's author answers. */
export interface Objection {
  reason: string;
  /** The reviewers who raise it: each argument belongs to a reviewer's subject. */
  by: readonly ReviewerId[];
  /** The rules whose findings it can meet. */
  against: readonly string[];
  /** The argument, or undefined when the finding does not collide. */
  raise(finding: Finding, bench: Bench): string | undefined;
  /** The author's answer; it checks the facts in the document again. */
  answer(finding: Finding, document: Document, argument: string): Answer;
}

export const withdraw = (why: string): Answer => ({ withdrawn: true, why });
export const uphold = (why: string): Answer => ({ withdrawn: false, why });

/** The offsets a finding speaks of: its words on its line, else the line's first character. */
export function findFindingSpans(finding: Finding, document: Document): Span[] {
  const found = occurrences(document, finding.line, finding.subject);
  if (found.length > 0) return found;
  const start =
    (document.starts[finding.line - 1] ?? 0) +
    Math.max(0, lineText(document, finding.line).indexOf(finding.quote));
  return [{ start, end: start + Math.max(1, finding.quote.length) }];
}
