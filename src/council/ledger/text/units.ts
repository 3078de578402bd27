// Cuts a contribution to CHALLENGE into units: addressed paragraphs, quotes, lines and table rows.
import { blocksOf, linesIn } from './blocks.ts';
import type { Block } from './blocks.ts';
import type { Stretch } from './stretch.ts';
import { markedIn } from './marks.ts';
import { addressOf, mentionsIn, namedAtStart, namedInCell } from './mentions.ts';
import type { Mention } from './mentions.ts';
import { readForm } from './form.ts';
import { recordsIn } from './records.ts';
import { sideAt, sideReader } from './sides.ts';

/** A contribution to CHALLENGE in the parts that matter there. */
export interface Unit extends Stretch {
  /** `address` starts with the id of a claim; `quote` is or holds a block quote; `break` is a heading or a rule. */
  kind: 'address' | 'quote' | 'text' | 'break';
  address: Mention | null;
  /** The quoted lines, `>` and all. */
  quotes: Stretch[];
  /** True for what says all of its objection: a list item, a row of a table, a sentence with a quote in it. */
  isWhole: boolean;
  /** True for a heading with an address: what stands under it is about that claim. */
  isHeading: boolean;
  /** True for what speaks for the claim or the words it has: it stands under "for" or begins so. */
  supports: boolean;
}

/** What a reader of units knows of the council: which claims there are, and which words somebody else has said. */
export interface Known {
  isClaim(mention: Mention): boolean;
  isSaid(quote: Stretch): boolean;
}

/** For texts whose challenges nobody asks for. */
export const NOTHING_KNOWN: Known = { isClaim: () => false, isSaid: () => false };

/**
 * Cuts a contribution into units. Inside a paragraph, a line that starts with the id of a claim that exists starts a
 * unit of its own, because people write one line for each; so does a row of a table.
 */
export function unitsOf(text: string, known: Known): Unit[] {
  const units: Unit[] = readForm(text).places.flatMap((place) => recordUnits(text, place, known));
  const isFor = sideReader();
  for (const block of blocksOf(text)) {
    const last = units.at(-1);
    const supports = isFor(text, block);
    const found = unitsIn(text, block, known);
    if (found.length === 0 && last && last.kind !== 'break') last.end = block.end;
    units.push(
      ...found.map((one) => {
        const side = sideAt(text.slice(one.start, one.end));
        return { ...one, supports: side === undefined ? supports : side === 'for' };
      }),
    );
  }
  return units;
}

function unitsIn(text: string, block: Block, known: Known): Unit[] {
  const records = block.kind === 'item' || block.kind === 'break' ? [] : recordUnits(text, block, known);
  if (records.length > 0) return records;
  if (block.kind === 'attached') return rowUnits(text, block, known);
  if (block.kind === 'quote') return quoteUnits(text, block, known);
  return block.kind === 'break' ? [headingUnit(text, block, known)] : wordUnits(text, block, known);
}

/** The claim that words are addressed to; without the `@` only where there is such a claim. */
function addressIn(words: string, { isClaim }: Known): (Mention & { length: number }) | undefined {
  const named = addressOf(words);
  if (named) return named;
  const plain = namedAtStart(words);
  return plain && isClaim(plain) ? plain : undefined;
}

/** The objects of JSON that name a claim in a value, or quote somebody: `{"target": "ada.2", "quote": "…"}`. */
function recordUnits(text: string, block: Stretch, known: Known): Unit[] {
  if (!/^\s*(?:(?:```|~~~).*\s+)?[[{]/.test(text.slice(block.start, block.start + 200))) return [];
  return recordsIn(text, block).flatMap(({ start, end, pairs }): Unit[] => {
    const named = pairs.map(({ value }) => namedInCell(text.slice(value.start, value.end)));
    const address = named.find((mention) => mention && known.isClaim(mention)) ?? null;
    const quotes = pairs.flatMap(({ value }) =>
      value.end - value.start >= SHORTEST && known.isSaid(value) ? value : [],
    );
    if (!address && quotes.length === 0) return [];
    return [{ ...unit(address ? 'address' : 'quote', { start, end }), address, quotes, isWhole: true }];
  });
}

/** The rows of a table that name a claim in a cell, or quote somebody between quotation marks. */
function rowUnits(text: string, block: Block, known: Known): Unit[] {
  return linesIn(text, block).flatMap(({ start, end }): Unit[] => {
    const row = text.slice(start, end);
    if (!/^[ \t]*\|/.test(row)) return [];
    const named = row.split('|', 4).slice(1).map(namedInCell);
    const address = named.find((mention) => mention && known.isClaim(mention)) ?? null;
    const quotes = quotesInside(text, { start, end }).filter(known.isSaid);
    if (!address && quotes.length === 0) return [];
    return [{ ...unit(address ? 'address' : 'quote', { start, end }), address, quotes, isWhole: true }];
  });
}

/** Fewer letters between quotation marks are an expression, not a quote. */
const SHORTEST = 12;
const quotesInside = (text: string, { start, end }: Stretch): Stretch[] =>
  markedIn(text.slice(start, end))
    .map((quote) => ({ start: start + quote.start + 1, end: start + quote.end - 1 }))
    .filter((quote) => quote.end - quote.start >= SHORTEST);

/** A heading ends what came before, and may be the address of what follows. */
function headingUnit(text: string, block: Block, known: Known): Unit {
  const start = block.start + /^[#\s]*/.exec(text.slice(block.start, block.end))![0].length;
  const words = text.slice(start, block.end);
  const named = mentionsIn(words).flatMap((one) => ('name' in one && known.isClaim(one) ? [one] : []));
  const alone = named.length === 1 ? { ...named[0]!, length: words.length } : undefined;
  const address = addressIn(words, known) ?? alone;
  return address && known.isClaim(address)
    ? { ...unit('address', { start, end: block.end }), address, isHeading: true }
    : unit('break', block);
}

function wordUnits(text: string, block: Block, known: Known): Unit[] {
  const isItem = block.kind === 'item';
  const quotes = block.quotes.map((quote) => quotedLines(text, quote)).filter(isSaid(text));
  const cuts = linesIn(text, block)
    .slice(1)
    .flatMap(({ start, end }) => {
      const words = text.slice(start, end);
      const address = isItem ? undefined : addressIn(words, known);
      return (address && known.isClaim(address)) || (!isItem && sideAt(words)) ? [start] : [];
    });
  return [block.start, ...cuts].map((start, index) => {
    const end = start + text.slice(start, cuts[index] ?? block.end).trimEnd().length;
    const address = addressIn(text.slice(start, end), known) ?? null;
    const inside = quotes.length > 0 ? [] : quotesInside(text, { start, end }).filter(known.isSaid);
    const kind = address ? 'address' : quotes.length + inside.length > 0 ? 'quote' : 'text';
    return {
      ...unit(kind, { start, end }),
      address,
      quotes: [...quotes, ...inside],
      isWhole: isItem || (address === null && inside.length > 0),
    };
  });
}

/** A block quote, and what goes on below it without a `>`: Markdown counts that in, its author did not. */
function quoteUnits(text: string, block: Block, known: Known): Unit[] {
  const quote = quotedLines(text, block);
  const rest = text.slice(quote.end, block.end);
  const start = quote.end + (rest.length - rest.trimStart().length);
  const units = start < block.end ? [unit('text', { start, end: block.end })] : [];
  if (!isSaid(text)(quote)) return units;
  // The id that a transcript shows may have been copied with the words.
  const lead = /^[>\s]*/.exec(text.slice(quote.start, quote.end))![0].length;
  const copied = addressIn(text.slice(quote.start + lead, quote.end), known);
  const address = copied && known.isClaim(copied) ? copied : null;
  const words = { start: quote.start + (address ? lead + address.length : 0), end: quote.end };
  return [{ ...unit('quote', quote), address, quotes: isSaid(text)(words) ? [words] : [] }, ...units];
}

/** The lines from the start of a block quote that have a `>`. */
function quotedLines(text: string, block: Stretch): Stretch {
  const [first, ...rest] = linesIn(text, block);
  const beyond = rest.findIndex(
    ({ start, end }) => !/^[ \t]*>/.test(text.slice(start, Math.min(end, start + 500))),
  );
  const last = beyond === -1 ? rest.at(-1) : rest[beyond - 1];
  return { start: block.start, end: (last ?? first!).end };
}

/** False for a quote of nothing. */
const isSaid =
  (text: string) =>
  ({ start, end }: Stretch): boolean =>
    /[^>\s]/.test(text.slice(start, end));

const unit = (kind: Unit['kind'], { start, end }: Stretch): Unit => ({
  kind,
  start,
  end,
  address: null,
  quotes: [],
  isWhole: false,
  isHeading: false,
  supports: false,
});
