// Offline panel: runs a reviewer on a document and sums up its assessment.
import type { Document } from './document.ts';
import type { Located, Reviewer } from './reviewer.ts';
import { SEVERITIES } from './finding.ts';
import { unread } from './wording.ts';

/** Findings that a contribution lists; the rest is counted. */
const LISTED = 12;

/** What a reviewer has to say about a document. The same document gives the same assessment in every phase. */
export interface Assessment {
  /** Why nothing was judged; then there are no findings. */
  abstains: string | undefined;
  all: Located[];
  /** The most important ones, by severity and line. */
  listed: Located[];
  blocking: string[];
}

/** Runs a reviewer on a document, unless it is one that the reviewer cannot judge. */
export function assess(reviewer: Reviewer, document: Document): Assessment {
  const blocking = reviewer.blocking(document);
  const abstains = reasonToAbstain(reviewer, document);
  const all = abstains === undefined ? onceEach(reviewer.find(document)) : [];
  return { abstains, all, listed: mostImportant(all), blocking };
}

function reasonToAbstain(reviewer: Reviewer, document: Document): string | undefined {
  if (document.binary)
    return 'The brief looks like a binary file, not like text: there is nothing to review.';
  const skeleton = reviewer.anyLanguage && document.tree.children.length > 0;
  if (document.words === 0 && !skeleton) {
    return document.unread > 0
      ? `There is nothing I could judge. ${unread(document)}`
      : 'The brief has no running text (code, tables and HTML are not read): there is nothing to review.';
  }
  if (!reviewer.anyLanguage && !document.english) {
    return 'The brief does not look like English (few English function words). My rules know English only; what the structure reviewer says still applies.';
  }
  return undefined;
}

/** One finding for the same words on the same line: nobody could tell two of them apart. */
function onceEach(found: readonly Located[]): Located[] {
  const first = new Map<string, Located>();
  for (const one of found) {
    const key = `${one.line} ${one.rule} ${one.subject.toLowerCase()}`;
    if (!first.has(key)) first.set(key, one);
  }
  return [...first.values()];
}

/** Takes rules in turn within a severity, so that a frequent rule does not hide a rare one; the same words again come last. */
function mostImportant(all: readonly Located[]): Located[] {
  const seen = new Map<string, number>();
  const rank = (one: Located): number => SEVERITIES.indexOf(one.severity);
  const ranked = all.map((one) => {
    const words = `${one.rule} ${one.subject.toLowerCase()}`;
    const nth = (seen.get(one.rule) ?? 0) + 3 * (seen.get(words) ?? 0);
    for (const key of [one.rule, words]) seen.set(key, (seen.get(key) ?? 0) + 1);
    return { one, nth };
  });
  ranked.sort((a, b) => rank(a.one) - rank(b.one) || a.nth - b.nth || a.one.start - b.one.start);
  return ranked
    .slice(0, LISTED)
    .map(({ one }) => one)
    .sort((a, b) => rank(a) - rank(b) || a.start - b.start);
}
