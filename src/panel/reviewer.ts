// Offline panel: what a reviewer is, and which rules belong to whom.
import type { Document, Span } from './document.ts';
import { createFinding } from './finding.ts';
import type { Finding } from './finding.ts';
import { findLineNumber, quoteAroundSpan } from './place.ts';

export const REVIEWER_IDS = ['consistency', 'completeness', 'structure', 'precision'] as const;
export type ReviewerId = (typeof REVIEWER_IDS)[number];

/** A finding of one's own, with the place it was found at. */
export interface Located extends Finding, Span {}

/** What a reviewer is: pure functions of a document. */
export interface Reviewer {
  id: ReviewerId;
  /** Everything it has to say, in the order of the text. */
  find(document: Document): Located[];
}

/** Who raises which rule. Rules are unique, so that a finding names its reviewer even where names are hidden. */
export const RULES: Readonly<Record<string, ReviewerId>> = {
  ...rules('consistency', 'date weekday order period sum share product unit two-values at-once off-and-used'),
  ...rules('completeness', 'placeholder section none-considered missing'),
  ...rules('structure', 'reference count items empty-section no-title twice-defined'),
  ...rules('precision', 'claim'),
};

function rules(owner: ReviewerId, names: string): Record<string, ReviewerId> {
  return Object.fromEntries(names.split(' ').map((name) => [name, owner]));
}

/** The reviewer a rule belongs to; undefined for rules of others. */
export const findRuleOwner = (rule: string): ReviewerId | undefined =>
  Object.hasOwn(RULES, rule) ? RULES[rule] : undefined;

/** What a rule says of a stretch of the document; `also` are other stretches that belong to it. */
export interface Remark extends Pick<Finding, 'severity' | 'rule' | 'advice'> {
  subject?: string;
  also?: readonly Span[];
}

/** A finding about a stretch of the document: lines and quote are taken from there. */
export function locate(document: Document, span: Span, remark: Remark): Located {
  const { also = [], subject = '', ...rest } = remark;
  const made = createFinding({
    ...rest,
    subject,
    line: findLineNumber(document, span.start),
    also: also.map(({ start }) => findLineNumber(document, start)),
    quote: quoteAroundSpan(document, span),
    language: document.language,
  });
  return { ...made, start: span.start, end: span.end };
}
