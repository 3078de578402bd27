// Offline panel: what a reviewer is, and which rules belong to whom.
import type { Document, Span } from './document.ts';
import { finding } from './finding.ts';
import type { Finding } from './finding.ts';
import { lineAt, quoteAt } from './place.ts';

/** The reviewers, in the order of the default table. */
export const REVIEWER_IDS = ['plain-language', 'precision', 'structure', 'inclusion'] as const;
export type ReviewerId = (typeof REVIEWER_IDS)[number];

/** A finding of one's own, with the place it was found at. */
export interface Located extends Finding, Span {}

/** What a reviewer is: pure functions of a document. */
export interface Reviewer {
  id: ReviewerId;
  /** As a person would call it. */
  title: string;
  /** False for reviewers of the language, which know English only. */
  anyLanguage: boolean;
  /** The packages and lists its rules come from. */
  sources: string;
  /** Everything it has to say, in the order of the text. */
  find(document: Document): Located[];
  /** What stops everything; nearly always empty. */
  blocking(document: Document): string[];
}

/** Who raises which rule. Rules are unique, so that a finding names its reviewer even where names are hidden. */
export const RULES: Readonly<Record<string, ReviewerId>> = {
  simplify: 'plain-language',
  'repeated-word': 'plain-language',
  'long-sentence': 'plain-language',
  'hard-sentence': 'plain-language',
  unquantified: 'precision',
  'weasel-word': 'precision',
  passive: 'precision',
  'no-title': 'structure',
  'several-titles': 'structure',
  'heading-increment': 'structure',
  'duplicate-heading': 'structure',
  'empty-section': 'structure',
  'long-section': 'structure',
  'long-paragraph': 'structure',
  'undefined-reference': 'structure',
  'duplicate-definition': 'structure',
  'unused-definition': 'structure',
  'broken-anchor': 'structure',
  'empty-link': 'structure',
  'code-language': 'structure',
  'no-example': 'structure',
  'insensitive-word': 'inclusion',
  'talks-down': 'inclusion',
  'no-image-text': 'inclusion',
  'vague-link': 'inclusion',
};

/** The reviewer a rule belongs to; undefined for rules of others. */
export const ownerOf = (rule: string): ReviewerId | undefined =>
  Object.hasOwn(RULES, rule) ? RULES[rule] : undefined;

/** A finding about a stretch of the document: line and quote are taken from there. */
export function locate(document: Document, span: Span, parts: Omit<Finding, 'line' | 'quote'>): Located {
  const line = lineAt(document, span.start);
  return { ...finding({ ...parts, line, quote: quoteAt(document, span) }), start: span.start, end: span.end };
}
