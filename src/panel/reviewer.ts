// Offline panel: the type of a reviewer, all rules, and running a reviewer on a document.
import type { Document, Span } from './document.ts';
import { createFinding, compareSeverity } from './finding.ts';
import type { Finding, Severity } from './finding.ts';
import { findLineNumber, quoteAroundSpan } from './place.ts';
import { looksLikeDocument } from '../core/base/front-matter-block.ts';

export const REVIEWER_IDS = ['consistency', 'completeness', 'structure', 'precision'] as const;
export type ReviewerId = (typeof REVIEWER_IDS)[number];

export interface Located extends Finding, Span {}

export interface Reviewer {
  id: ReviewerId;
  /** Finds everything, in the order of the text. */
  find(document: Document): Located[];
}

/** All rules. Each belongs to one reviewer, so that a finding identifies its reviewer even where names are hidden. */
export const RULES: readonly string[] = [
  'date weekday order period sum share product unit two-values at-once off-and-used',
  'placeholder section none-considered missing',
  'reference count items empty-section no-title twice-defined',
  'claim',
].flatMap((names) => names.split(' '));

/** Rules whose findings are by default for a reader to judge; those of all others are proved by the page. */
const WORTH = new Set(
  'two-values at-once off-and-used none-considered missing claim items no-title twice-defined'.split(' '),
);

/** Optional parts of a finding; `also` are other places that belong to it. */
interface FindingDetails {
  severity?: Severity;
  subject?: string;
  also?: readonly Span[];
}

/** Creates a finding at a place of the document, with its lines and quote. */
export function locate(
  document: Document,
  span: Span,
  rule: string,
  advice: string,
  { severity = WORTH.has(rule) ? 'worth' : 'first', subject = '', also = [] }: FindingDetails = {},
): Located {
  const made = createFinding({
    ...{ severity, rule, subject, advice },
    line: findLineNumber(document, span.start),
    also: also.map(({ start }) => findLineNumber(document, start)),
    quote: quoteAroundSpan(document, span),
    language: document.language,
  });
  return { ...made, start: span.start, end: span.end };
}

/** Maximum number of findings listed in a contribution; the rest is only counted. */
const LISTED = 60;

/** A reviewer's findings in a document; the same in every phase. */
export interface Assessment {
  /** Why the document was not reviewed; then there are no findings. */
  abstains: string | undefined;
  all: Located[];
  /** The most important ones, by severity and line. */
  listed: Located[];
}

/** Runs a reviewer on a document, unless the document cannot be judged. */
export function assessDocument(reviewer: Reviewer, document: Document): Assessment {
  const abstains = findAbstentionReason(document);
  const all =
    abstains === undefined
      ? joinRepeatedFindings(removeDuplicates(reviewer.find(document))).sort(compareSeverity)
      : [];
  return { abstains, all, listed: all.slice(0, LISTED) };
}

function findAbstentionReason(document: Document): string | undefined {
  const words = document.say;
  if (document.binary) return words.notText;
  if (document.text.trim() === '') return words.empty;
  if (document.words === 0 && document.unread > 0) return words.unread(document.unread);
  if (!looksLikeDocument(document.text)) return words.notADocument;
  return document.isKnownLanguage ? undefined : words.otherLanguage;
}

/** Removes duplicates: the same words on the same line could not be told apart. */
function removeDuplicates(found: readonly Located[]): Located[] {
  const first = new Map<string, Located>();
  for (const one of found) {
    const key = `${one.line} ${one.rule} ${one.subject.toLowerCase()} ${one.advice}`;
    if (!first.has(key)) first.set(key, one);
  }
  return [...first.values()];
}

/** Rules that a document from a template may break repeatedly; from `MANY` findings on, they are merged. */
const REPEATED = new Set(['placeholder', 'empty-section', 'twice-defined']);
const MANY = 4;

/** Merges many findings of such a rule into one, with all their lines. */
function joinRepeatedFindings(found: readonly Located[]): Located[] {
  const seen = new Map<string, Located[]>();
  for (const one of found)
    if (REPEATED.has(one.rule)) seen.set(one.rule, [...(seen.get(one.rule) ?? []), one]);
  return found.flatMap((one) => {
    const alike = seen.get(one.rule) ?? [];
    if (alike.length < MANY) return [one];
    return alike[0] === one ? [{ ...one, also: alike.slice(1, 21).map(({ line }) => line) }] : [];
  });
}
