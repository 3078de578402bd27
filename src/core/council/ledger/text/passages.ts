// Splits a contribution to CHALLENGE into objections with their addresses and quotes.
import type { TextRange } from './limits.ts';
import { MAX_CHALLENGES, MAX_SHARED } from './limits.ts';
import type { Mention } from './mentions.ts';
import { blankRanges } from './reasoning.ts';
import { saysItHolds } from './support-or-objection.ts';
import { cutUnits } from './units.ts';
import type { KnownStatements, Unit } from './units.ts';

/** One objection in a contribution to CHALLENGE: its address, its quotes, and its text. */
export interface Passage extends TextRange {
  address: Mention | null;
  quotes: TextRange[];
  /** True for an argument in favour of a claim, which is not a challenge. */
  supports: boolean;
}

/** A passage under construction: units `first` to `last`. */
interface PassageDraft {
  first: number;
  last: number;
  address: Mention | null;
  quotes: TextRange[];
  /** It is complete; nothing more is added. */
  isClosed: boolean;
}

/**
 * Returns the objections of a contribution. One starts at a paragraph or list item that begins with a claim
 * id, or at a block quote.
 * A quote directly before an addressed paragraph belongs to it. So does one directly after it, unless the
 * paragraph is complete and the quote has its own objection. The objection to a quote follows it, up to the
 * next objection, heading or rule; if nothing follows, it precedes the quote.
 * Returns at most `MAX_CHALLENGES`; the last one includes the rest.
 */
export function cutPassages(text: string, known: KnownStatements): Passage[] {
  const units = cutUnits(text, known);
  const drafts = draftPassages(units, text);
  for (let at = drafts.length - 1; at >= 0; at--) extendDraft(drafts, at, units, text);
  const passages = drafts.map(({ first, last, address, quotes }) => ({
    start: units[first]!.start,
    end: units[last]!.end,
    address,
    quotes,
    supports:
      (units[first]!.supports && units[last]!.supports) || admitsItHolds(text, units.slice(first, last + 1)),
  }));
  const beyond = passages.slice(MAX_CHALLENGES).at(-1);
  if (beyond) passages[MAX_CHALLENGES - 1]!.end = beyond.end;
  return passages.slice(0, MAX_CHALLENGES);
}

/** Whether a passage, apart from its quotes, says that its author could not refute them. */
function admitsItHolds(text: string, units: readonly Unit[]): boolean {
  const [from, to] = [units[0]!.start, units.at(-1)!.end];
  const quotes = units.flatMap((unit) => unit.quotes);
  const moved = quotes.map(({ start, end }) => ({ start: start - from, end: end - from }));
  return saysItHolds(blankRanges(text.slice(from, to), moved));
}

/** Counts a text's objections, without the limit. */
export const countPassages = (text: string, known: KnownStatements): number =>
  draftPassages(cutUnits(text, known), text).length;

function draftPassages(units: readonly Unit[], text: string): PassageDraft[] {
  const drafts: PassageDraft[] = [];
  /** The draft of an addressed heading. */
  let section: PassageDraft | undefined;
  units.forEach((unit, at) => {
    const { kind, address, quotes, isWhole } = unit;
    if (kind === 'break') section = undefined;
    if (kind !== 'address' && kind !== 'quote') return;
    if (kind === 'quote' && address === null && section) {
      section.quotes.push(...quotes);
      Object.assign(section, { last: at, isClosed: false });
      return;
    }
    section = undefined;
    const last = drafts.at(-1);
    const above = last?.last === at - 1 && !units[last.first]!.isWhole && !isWhole ? last : undefined;
    if (kind === 'address' && above && above.address === null) {
      Object.assign(above, { address, last: at, isClosed: !isAddressAlone(text, unit) });
    } else if (
      kind === 'quote' &&
      address === null &&
      above &&
      units[above.first]!.kind === 'address' &&
      belongsToAddress(units, at, text)
    ) {
      above.quotes.push(...quotes);
      Object.assign(above, { last: at, isClosed: false });
    } else {
      const isClosed = isWhole || (kind === 'address' && !isAddressAlone(text, unit));
      const draft = { first: at, last: at, address, quotes: [...quotes], isClosed };
      drafts.push(draft);
      if (unit.isHeading) section = draft;
    }
  });
  return drafts;
}

/**
 * Whether a quote belongs to the address right above it: there is no blank line between them, the address
 * introduces it, or no words follow that could be its own objection.
 */
function belongsToAddress(units: readonly Unit[], at: number, text: string): boolean {
  const above = units[at - 1]!;
  if (above.kind === 'quote' || introducesQuote(text, above)) return true;
  const isNextLine = /^(?:\r\n|\r|\n)[ \t]*$/.test(text.slice(above.end, units[at]!.start));
  return isNextLine || units.slice(at).find(({ kind }) => kind !== 'quote')?.kind !== 'text';
}

/** Extends a draft with the text around it. Later drafts have already been extended. */
function extendDraft(
  drafts: readonly PassageDraft[],
  at: number,
  units: readonly Unit[],
  text: string,
): void {
  const draft = drafts[at]!;
  if (draft.isClosed) return;
  const next = drafts[at + 1];
  const limit = next?.first ?? units.length;
  const isInRow =
    next?.first === draft.last + 1 &&
    units[next.first]!.kind === 'quote' &&
    next.address === null &&
    !next.isClosed;
  const isLast = draft.last + 1 >= limit || units[draft.last + 1]!.kind !== 'text';
  while (draft.last + 1 < limit && units[draft.last + 1]!.kind === 'text') draft.last += 1;
  if (draft.address !== null) return;
  const before = draft.first - 1 > (drafts[at - 1]?.last ?? -1) ? units[draft.first - 1] : undefined;
  if (before?.kind === 'text' && ((isLast && !isInRow) || introducesQuote(text, before))) draft.first -= 1;
  // Consecutive quotes share the objection below them, but if it is very long, only the last one gets it.
  const shared = isInRow ? units[next.last]!.end - units[draft.first]!.start : Infinity;
  if (isInRow && shared <= MAX_SHARED) draft.last = next.last;
}

/** True for an address alone, or with a line that ends in a colon. */
const isAddressAlone = (text: string, { start, end, lead }: Unit): boolean =>
  /^[\s*_`"')\]:,.–—-]*$|:[\s*_`]*$/.test(text.slice(start + lead, end));

/** True for words that only introduce a quote: no full sentence, or ending in a colon. */
function introducesQuote(text: string, { start, end }: TextRange): boolean {
  return end - start <= 200 && !/[.!?…。！？][\s*_`"')\]]*$/.test(text.slice(start, end));
}
