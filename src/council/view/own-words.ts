// Masks names in others' texts but leaves quotes of the reader's own words intact.
import { linesIn } from '../ledger/text/blocks.ts';
import type { Stretch } from '../ledger/text/stretch.ts';
import { splitClaims } from '../ledger/claims.ts';
import type { Mask, Masked, Replacement } from '../naming/mask.ts';
import { findQuote, firstAtLeast, readQuote, readSource } from '../ledger/quotes.ts';
import type { Source } from '../ledger/quotes.ts';
import { newEffort } from '../ledger/text/occurrence.ts';
import type { Effort } from '../ledger/text/occurrence.ts';
import { markedIn } from '../ledger/text/marked.ts';
import { NOTHING_KNOWN, unitsOf } from '../ledger/text/units.ts';

/** How one reader sees the texts of others, or a stretch of one. */
export type Seen = (text: string, stretch?: Stretch) => Masked;

/** A quote of the reader's own words, and how the reader had written them. */
interface OwnQuote extends Stretch {
  text: string;
}

/** One of the reader's own texts in which names stand: as written, and as the others saw it. */
interface OwnText {
  written: Source;
  seen: Source;
  places: Replacement[];
  /** Where the places are. */
  at: Uint32Array;
}

/**
 * The mask for the texts of others, with the reader's own words in them as they were written. A quote that came back
 * with a label in place of a name would tell the reader, who wrote that name, whose label it is.
 */
export function seenBy(own: readonly string[], mask: Mask): Seen {
  const texts = own.flatMap((text) => ownText(text, mask));
  const isTelling = tellsOf(texts, mask);
  const known = new Map<string, OwnQuote[]>();
  const quotesIn = (text: string): OwnQuote[] => {
    const found = known.get(text) ?? ownQuotes(text, texts, isTelling);
    known.set(text, found);
    return found;
  };
  return (text, { start, end } = { start: 0, end: text.length }) => {
    if (texts.length === 0) return mask(text, { start, end });
    let from = start;
    const parts: Masked[] = [];
    for (const quote of quotesIn(text)) {
      if (quote.start < from || quote.end > end) continue;
      parts.push(mask(text, { start: from, end: quote.start }), {
        text: quote.text,
        replaced: [],
        left: [],
        places: [],
      });
      from = quote.end;
    }
    return joined([...parts, mask(text, { start: from, end })]);
  };
}

function ownText(text: string, mask: Mask): OwnText[] {
  const seen = mask(text);
  if (seen.places.length === 0) return [];
  const source = (words: string): Source => readSource(words, () => splitClaims(words));
  const at = Uint32Array.from(seen.places, (place) => place.at);
  return [{ written: source(text), seen: source(seen.text), places: seen.places, at }];
}

/** Whether a quote may come back in other words: without a name and without a label of an own text it stays what it is. */
function tellsOf(own: readonly OwnText[], mask: Mask): (quoted: string) => boolean {
  const labels = new Set(own.flatMap(({ places }) => places.map(({ label }) => label)));
  const label = new RegExp([...labels].map(broken).join('|'), 'u');
  return (quoted) => label.test(quoted) || mask.find(quoted).length > 0;
}

/** The quotes of own words in a text: in their order, none inside another. What they cost is limited. */
function ownQuotes(
  text: string,
  own: readonly OwnText[],
  isTelling: (quoted: string) => boolean,
): OwnQuote[] {
  const effort = newEffort();
  let end = 0;
  return quotedIn(text).flatMap((stretch): OwnQuote[] => {
    if (stretch.start < end || effort.left <= 0) return [];
    const quoted = text.slice(stretch.start, stretch.end);
    const words = isTelling(quoted) ? asWritten(quoted, own, effort) : undefined;
    if (words === undefined) return [];
    end = stretch.end;
    return [{ ...stretch, text: words }];
  });
}

/** The words of a quote with names where its author had them; undefined for the words of nobody here. */
function asWritten(quoted: string, own: readonly OwnText[], effort: Effort): string | undefined {
  const quote = readQuote(quoted, effort);
  for (const { written, seen, places, at } of own) {
    if (findQuote(quote, written)) return quoted;
    const found = findQuote(quote, seen);
    if (!found) continue;
    const inside = places.slice(firstAtLeast(at, found.start), firstAtLeast(at, found.end));
    effort.left -= inside.length;
    return withNames(quoted, inside);
  }
  return undefined;
}

/** Puts names back, one after the other; one that an ellipsis has left out is passed over. */
function withNames(quoted: string, places: readonly Replacement[]): string {
  const patterns = new Map<string, RegExp>();
  const missing = new Set<string>();
  const parts: string[] = [];
  let from = 0;
  for (const { label, name } of places) {
    if (missing.has(label)) continue;
    const pattern = patterns.get(label) ?? new RegExp(broken(label), 'gu');
    patterns.set(label, pattern);
    pattern.lastIndex = from;
    const found = pattern.exec(quoted);
    if (!found) missing.add(label);
    else {
      parts.push(quoted.slice(from, found.index), name);
      from = pattern.lastIndex;
    }
  }
  return parts.join('') + quoted.slice(from);
}

/** A label as a pattern, for it may be broken over two quoted lines. It is letters, hyphens and spaces: nothing to escape. */
const broken = (label: string): string => label.replace(/\s+/g, String.raw`[\s>]+`);

/**
 * Everything in a text that may be a quote, the larger before what is inside of it: block quotes, their paragraphs and
 * lines, quotes in quotes, and what stands between quotation marks.
 */
function quotedIn(text: string): Stretch[] {
  const blocks = unitsOf(text, NOTHING_KNOWN).flatMap(({ quotes }) => quotes);
  const all = [...blocks.flatMap((block) => [block, ...inside(text, block)]), ...markedIn(text)];
  return all.sort((a, b) => a.start - b.start || b.end - a.end);
}

/** The paragraphs of a block quote, the quotes in it, and its lines. */
function inside(text: string, block: Stretch): Stretch[] {
  const lines = linesIn(text, block);
  const depthOf = ({ start, end }: Stretch) =>
    /^[\s>]*/.exec(text.slice(start, end))![0].replace(/[^>]/g, '').length;
  const isBlank = ({ start, end }: Stretch) => /^[\s>]*$/.test(text.slice(start, end));
  const runs: Stretch[][] = [];
  lines.forEach((line, at) => {
    const before = lines[at - 1];
    if (isBlank(line)) return;
    if (before && !isBlank(before) && depthOf(before) === depthOf(line)) runs.at(-1)!.push(line);
    else runs.push([line]);
  });
  return [...runs.map((run) => ({ start: run[0]!.start, end: run.at(-1)!.end })), ...lines];
}

const joined = (parts: readonly Masked[]): Masked => ({
  text: parts.map(({ text }) => text).join(''),
  replaced: parts.flatMap(({ replaced }) => replaced),
  left: parts.flatMap(({ left }) => left),
  places: [],
});
