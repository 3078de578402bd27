// Offline panel: runs a reviewer on a document and sums up what it found.
import { looksLikeDocument } from '../core/base/looks-like-document.ts';
import type { Document } from './document.ts';
import { bySeverity } from './finding.ts';
import type { Located, Reviewer } from './reviewer.ts';
import { says } from './says.ts';

/** Findings that a contribution lists; the rest is counted. */
const LISTED = 60;

/** What a reviewer has to say about a document. The same document gives the same assessment in every phase. */
export interface Assessment {
  /** Why nothing was looked at; then there are no findings. */
  abstains: string | undefined;
  all: Located[];
  /** The most important ones, by severity and line. */
  listed: Located[];
}

/** Runs a reviewer on a document, unless it is one that the reviewer cannot judge. */
export function assess(reviewer: Reviewer, document: Document): Assessment {
  const abstains = reasonToAbstain(document);
  const all = abstains === undefined ? together(onceEach(reviewer.find(document))).sort(bySeverity) : [];
  return { abstains, all, listed: all.slice(0, LISTED) };
}

function reasonToAbstain(document: Document): string | undefined {
  const words = says(document.language);
  if (document.binary) return words.notText;
  if (document.text.trim() === '') return words.empty;
  if (document.words === 0 && document.unread > 0) return words.unread(document.unread);
  if (!looksLikeDocument(document.text)) return words.notADocument;
  return document.isKnownLanguage ? undefined : words.otherLanguage;
}

/** One finding for the same words on the same line: two of them could not be told apart. */
function onceEach(found: readonly Located[]): Located[] {
  const first = new Map<string, Located>();
  for (const one of found) {
    const key = `${one.line} ${one.rule} ${one.subject.toLowerCase()} ${one.advice}`;
    if (!first.has(key)) first.set(key, one);
  }
  return [...first.values()];
}

/** Rules that a document from a template can break on every other line, and the number from which one finding says it all. */
const REPEATED = new Set(['placeholder', 'empty-section', 'twice-defined']);
const MANY = 4;

/** Many findings of one such rule as one, with all their lines. */
function together(found: readonly Located[]): Located[] {
  const seen = new Map<string, Located[]>();
  for (const one of found)
    if (REPEATED.has(one.rule)) seen.set(one.rule, [...(seen.get(one.rule) ?? []), one]);
  return found.flatMap((one) => {
    const alike = seen.get(one.rule) ?? [];
    if (alike.length < MANY) return [one];
    return alike[0] === one ? [{ ...one, also: alike.slice(1, 21).map(({ line }) => line) }] : [];
  });
}
